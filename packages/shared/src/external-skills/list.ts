import {
  type ExternalSkillRegistration,
  type ExternalSkillResolution,
  maxListed,
  maxRegistrations,
} from '@continuity/contract/external-skills';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { finishJob, type JobContext, type JobHandler } from '../jobs/index.ts';
import { findScopeKey } from '../scopes/index.ts';
import type { ReadSkillsDeps } from './deps.ts';
import { openRoots, resolveLive, unavailable } from './open-roots.ts';
import {
  findRegistrations,
  type RegistryPlace,
  readOtherRegistrations,
  readRegistrations,
} from './registrations.ts';

/** Registrations that are compared with the disk at a time (spec 40 §7.2). */
const atATime = 8;

/** The handler of `list_external_skills`. */
export function runListExternalSkills(deps: ReadSkillsDeps): JobHandler<'list_external_skills'> {
  return async (job, { scope_id: scopeId, host_id: hostId, include_unavailable: includesAll }, context) => {
    const { database } = deps;
    const { tenantId } = job;
    const scopeKey = await findScopeKey(database.sql, tenantId, scopeId);
    const place = scopeKey === undefined ? null : { tenantId, scopeKey };
    const own = place === null ? [] : await listOwn(deps, place, hostId, context);
    const shown = includesAll ? own : own.filter(({ status }) => status === 'available');
    const others = place === null || !includesAll ? [] : await listOthers(deps, place, hostId);
    const skills = [...shown, ...others].sort(inListOrder);
    await finishJob(database.sql, job, { skills });
  };
}

async function listOwn(
  { database, hosts, readers }: ReadSkillsDeps,
  place: RegistryPlace,
  hostId: string,
  { signal, progress }: JobContext,
): Promise<ExternalSkillResolution[]> {
  const { tenantId } = place;
  const roots = await openRoots(hosts, tenantId, hostId);
  const registrations = await readRegistrations(database, place, hostId);
  const skills: ExternalSkillResolution[] = [];
  for (let at = 0; at < registrations.length; at += atATime) {
    signal.throwIfAborted();
    await progress(at / registrations.length);
    const some = registrations.slice(at, at + atATime);
    skills.push(...(await Promise.all(some.map((one) => resolveLive(readers, tenantId, roots, one)))));
  }
  return skills;
}

async function listOthers(
  { database }: ReadSkillsDeps,
  place: RegistryPlace,
  hostId: string,
): Promise<ExternalSkillResolution[]> {
  const others = await readOtherRegistrations(database, place, hostId, maxListed - maxRegistrations);
  return others.map(unavailable);
}

/** By id and then by host. Ids are ASCII. */
function inListOrder(left: ExternalSkillResolution, right: ExternalSkillResolution): number {
  return Buffer.compare(keyOf(left.registration), keyOf(right.registration));
}

function keyOf({ external_skill_id, host_id }: ExternalSkillRegistration): Buffer {
  return Buffer.from(`${external_skill_id}\0${host_id}`);
}

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
