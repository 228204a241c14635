import type {
  ExternalSkillRegistration,
  ExternalSkillResolution,
} from '@continuity/contract/external-skills';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { finishJob, type JobHandler } from '../jobs/index.ts';
import { findScopeKey } from '../scopes/index.ts';
import type { ReadSkillsDeps } from './deps.ts';
import { resolveLive, unavailable } from './live-state.ts';
import { openRoots } from './open-roots.ts';
import { findRegistrations } from './registrations.ts';

/** Identifies a registration in a request. */
interface RegistrationAddress {
  tenantId: TenantId;
  scopeId: string;
  hostId: string;
  externalSkillId: string;
}

/** The registrations of an id. */
interface Registered {
  /** The registration of the host; undefined if only other hosts have one. */
  own: ExternalSkillRegistration | undefined;
  /** The registration of the host, otherwise the first by `host_id`. */
  first: ExternalSkillRegistration;
}

/** Finds the registrations of an id. Throws 404 `external_skill_not_found` if no host has registered it in the Scope. */
export async function requireRegistered(
  queries: Queries,
  { tenantId, scopeId, hostId, externalSkillId }: RegistrationAddress,
): Promise<Registered> {
  const scopeKey = await findScopeKey(queries.sql, tenantId, scopeId);
  const rows =
    scopeKey === undefined ? [] : await findRegistrations(queries, { tenantId, scopeKey }, externalSkillId);
  const own = rows.find(({ host_id }) => host_id === hostId);
  const first = own ?? rows[0];
  if (first === undefined) throw serviceError('external_skill_not_found');
  return { own, first };
}

/** The handler of `resolve_external_skill`. */
export function runResolveExternalSkill(deps: ReadSkillsDeps): JobHandler<'resolve_external_skill'> {
  return async (job, payload) => {
    const { database } = deps;
    const { scope_id: scopeId, host_id: hostId, external_skill_id: externalSkillId } = payload;
    const address = { tenantId: job.tenantId, scopeId, hostId, externalSkillId };
    const resolution = await resolve(deps, address, payload.fingerprint);
    await finishJob(database.sql, job, resolution);
  };
}

async function resolve(
  { database, hosts, readers }: ReadSkillsDeps,
  address: RegistrationAddress,
  fingerprint: string,
): Promise<ExternalSkillResolution> {
  const { own, first } = await requireRegistered(database, address);
  if (own?.fingerprint !== fingerprint) return unavailable(first);
  const roots = await openRoots(hosts, address.tenantId, address.hostId);
  return await resolveLive(readers, address.tenantId, roots, own);
}
