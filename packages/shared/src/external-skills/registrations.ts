import type { ExternalSkillRegistration, InstallationScope } from '@continuity/contract/external-skills';
import type { AgentKind } from '@continuity/contract/skill-format';
import type { Queries, ScopeKey, TenantId } from '@continuity/kernel/database';

/** The Scope that skills are registered in. */
export interface RegistryPlace {
  tenantId: TenantId;
  scopeKey: ScopeKey;
}

type PrismaQueries = Pick<Queries, 'prisma'>;

/** The order of a list. */
const inListOrder = [{ externalSkillId: 'asc' }, { hostId: 'asc' }] as const;

/** Replaces what is registered of a host, in the caller's transaction. */
export async function replaceRegistrations(
  { prisma }: PrismaQueries,
  place: RegistryPlace,
  hostId: string,
  registrations: readonly ExternalSkillRegistration[],
): Promise<void> {
  await prisma.externalSkill.deleteMany({ where: { ...place, hostId } });
  await prisma.externalSkill.createMany({
    data: registrations.map((registration) => ({
      ...place,
      hostId,
      externalSkillId: registration.external_skill_id,
      agentKind: registration.agent_kind,
      installationScope: registration.installation_scope,
      locator: registration.locator,
      fingerprint: Buffer.from(registration.fingerprint, 'hex'),
      name: registration.name,
      description: registration.description,
    })),
  });
}

/** Reads what is registered of a host, by id. */
export async function readRegistrations(
  { prisma }: PrismaQueries,
  place: RegistryPlace,
  hostId: string,
): Promise<ExternalSkillRegistration[]> {
  const rows = await prisma.externalSkill.findMany({
    where: { ...place, hostId },
    orderBy: [...inListOrder],
  });
  return rows.map(toRegistration);
}

/** Reads the first `limit` registrations of all other hosts, by id and host. */
export async function readOtherRegistrations(
  { prisma }: PrismaQueries,
  place: RegistryPlace,
  hostId: string,
  limit: number,
): Promise<ExternalSkillRegistration[]> {
  const rows = await prisma.externalSkill.findMany({
    where: { ...place, hostId: { not: hostId } },
    orderBy: [...inListOrder],
    take: limit,
  });
  return rows.map(toRegistration);
}

/** Finds the registrations of one id, by host. */
export async function findRegistrations(
  { prisma }: PrismaQueries,
  place: RegistryPlace,
  externalSkillId: string,
): Promise<ExternalSkillRegistration[]> {
  const rows = await prisma.externalSkill.findMany({
    where: { ...place, externalSkillId },
    orderBy: { hostId: 'asc' },
  });
  return rows.map(toRegistration);
}

interface RegistrationRow {
  externalSkillId: string;
  hostId: string;
  agentKind: string;
  installationScope: string;
  locator: string;
  fingerprint: Buffer;
  name: string;
  description: string;
}

function toRegistration(row: RegistrationRow): ExternalSkillRegistration {
  const agentKind = row.agentKind as AgentKind;
  return {
    external_skill_id: row.externalSkillId,
    provider: agentKind,
    agent_kind: agentKind,
    host_id: row.hostId,
    installation_scope: row.installationScope as InstallationScope,
    locator: row.locator,
    fingerprint: row.fingerprint.toString('hex'),
    name: row.name,
    description: row.description,
  };
}
