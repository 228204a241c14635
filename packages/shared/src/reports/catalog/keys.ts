import type { Issue } from '@continuity/contract';
import type { WorkstreamDescriptor } from '@continuity/contract/reports';
import { codePointLength } from '@continuity/contract/text';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { isUniqueViolation, serviceError } from '@continuity/kernel/errors';
import { toNfc } from '@continuity/kernel/text';

/** Limit of a key in code points, as sent and in NFC. */
const maxKeyLength = 64;

/** A key as it is compared: in NFC, case-sensitively (spec 30 §5.3.1). */
export function normalizeKey(key: string): string {
  return toNfc(key);
}

/** The issue of a key that is too long in NFC. */
export function findKeyIssues(path: string, key: string | null): Issue[] {
  const length = key === null ? 0 : codePointLength(normalizeKey(key));
  if (length <= maxKeyLength) return [];
  return [
    { path, message: `must have at most ${maxKeyLength} characters in Unicode NFC, and has ${length}` },
  ];
}

/** Throws 409 `project_conflict` if another Project than `projectId` has the key, archived Projects included. */
export async function requireFreeProjectKey(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  normalizedKey: string,
  projectId: string | null,
): Promise<void> {
  const holder = await prisma.reportProject.findUnique({
    where: { tenantId_normalizedKey: { tenantId, normalizedKey } },
    select: { projectId: true },
  });
  if (holder === null || holder.projectId === projectId) return;
  throw serviceError('project_conflict', {
    message: 'Another Project has this project_key. Choose another key.',
    details: { reason: 'key_in_use', project_id: holder.projectId },
  });
}

/** Throws 409 `workstream_conflict` if another Workstream of the Project has the key, archived ones included. */
export async function requireFreeWorkstreamKey(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  { key, scope_id, project_id: projectId }: WorkstreamDescriptor,
): Promise<void> {
  if (key === null) return;
  const holder = await prisma.reportWorkstream.findUnique({
    where: {
      tenantId_projectId_normalizedKey: { tenantId, projectId, normalizedKey: normalizeKey(key) },
    },
    select: { scopeId: true },
  });
  if (holder === null || holder.scopeId === scope_id) return;
  throw serviceError('workstream_conflict', {
    message: 'Another Workstream of the Project has this key. Choose another key.',
    details: { reason: 'key_in_use', scope_id: holder.scopeId, project_id: projectId },
  });
}

/** Limit of the attempts. The next attempt finds the row of the request that won the race. */
const maxAttempts = 5;

/** Thrown if a concurrent request has changed a row since it was read. */
export class LostRaceError extends Error {}

/** Runs `work`, and again after it has lost a race: it threw `LostRaceError` or a unique violation. */
export async function retryRace<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLost = error instanceof LostRaceError || isUniqueViolation(error);
      if (!isLost || attempt === maxAttempts) throw error;
    }
  }
}
