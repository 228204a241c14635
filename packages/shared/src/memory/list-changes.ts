import type { ArtifactRef } from '@continuity/contract';
import type { RevisionChanges } from '@continuity/contract/memory';
import {
  type ArtifactKey,
  pick,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import { type CursorCodec, invalidCursor } from '@continuity/shared/handlers';
import { z } from 'zod';
import { scopeKey } from '../scopes/index.ts';
import { toChange } from './artifact-content.ts';
import {
  type ChangeRow,
  changeColumns,
  changeRow,
  joinChangedVersions,
  memoryRef,
  scopeMemoryId,
} from './entry.ts';

/** Default and limit of one page (spec 20 L7). */
const defaultLimit = 1000;
const maxPageChanges = 10_000;

interface ChangeList {
  tenantId: TenantId;
  scopeId: string;
  sinceRevision: number | null | undefined;
  limit: number | null | undefined;
  cursor: string | null | undefined;
}

interface ChangePage {
  memory: ArtifactRef | null;
  revisions: RevisionChanges[];
  next_cursor: string | null;
}

/** Content of a cursor: Scope, head of the first page, requested `since_revision`, and last revision of the page. */
const position = z.tuple([z.string(), z.int(), z.int().nullable(), z.int()]);
type Position = z.infer<typeof position>;

interface Start {
  head: number | null;
  since: number | null;
  after: number | null;
}

const headStatement = statement(
  'find_memory_head',
  `SELECT a.artifact_key, a.head_revision FROM artifacts a
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3`,
  pick(tables.artifacts, 'artifact_key', 'head_revision'),
);

/** Reads one change more than fits a page, to detect a truncated revision. */
const changesStatement = statement(
  'list_memory_changes',
  `SELECT ch.revision, ${changeColumns}
   FROM memory_changes ch ${joinChangedVersions}
   WHERE ch.tenant_id = $1 AND ch.artifact_key = $2 AND ch.revision > $3 AND ch.revision <= $4
   ORDER BY ch.revision, ch.entry_id LIMIT $5`,
  { revision: tables.memory_changes.revision, ...changeRow },
);

/** Lists one page of the Scope Memory's revisions, ascending (spec 20 L5 to L7). Throws 400 and 422. */
export async function listChanges(sql: Sql, cursors: CursorCodec, list: ChangeList): Promise<ChangePage> {
  const binding = { tenantId: list.tenantId, operation: 'list_memory_changes' };
  const start = startOf(list, (cursor) => cursors.decode(binding, cursor, position));
  const found = await sql.first(headStatement, [list.tenantId, list.scopeId, scopeMemoryId]);
  if (found === undefined) return { memory: null, revisions: [], next_cursor: null };
  // The cursor pins the head of the first page, so the list ends there.
  const head = start.head ?? found.head_revision;
  const after = start.after ?? start.since ?? head - 1;
  if (after > head) throw sinceAboveHead(head);
  const until = Math.min(head, after + (list.limit ?? defaultLimit));
  const revisions = await readRevisions(sql, list.tenantId, found.artifact_key, after, until);
  const last = revisions.at(-1)?.memory_ref.revision ?? head;
  const next = last < head ? cursors.encode(binding, [list.scopeId, head, start.since, last]) : null;
  return { memory: memoryRef(scopeMemoryId, head), revisions, next_cursor: next };
}

function startOf(list: ChangeList, decode: (cursor: string) => Position): Start {
  const requested = list.sinceRevision ?? null;
  if (list.cursor === null || list.cursor === undefined) return { head: null, since: requested, after: null };
  const [scopeId, head, since, after] = decode(list.cursor);
  if (scopeId !== list.scopeId || (requested !== null && requested !== since)) throw invalidCursor();
  return { head, since, after };
}

type RevisionRow = ChangeRow & { revision: number };

/** Reads whole revisions of (after, until] within the limit of changes, but at least one. */
async function readRevisions(
  sql: Sql,
  tenantId: TenantId,
  artifactKey: ArtifactKey,
  after: number,
  until: number,
): Promise<RevisionChanges[]> {
  const rows = await sql.rows(changesStatement, [tenantId, artifactKey, after, until, maxPageChanges + 1]);
  const groups = Map.groupBy(rows, (row) => row.revision);
  const cut = rows.length > maxPageChanges ? rows.at(-1)?.revision : undefined;
  if (cut === undefined) return present(groups);
  if (groups.size > 1) {
    groups.delete(cut);
    return present(groups);
  }
  // A single revision exceeds the limit. The limits of a request and of a flush bound its size.
  const whole = await sql.rows(changesStatement, [tenantId, artifactKey, after, cut, null]);
  return present(Map.groupBy(whole, (row) => row.revision));
}

function present(groups: Map<number, RevisionRow[]>): RevisionChanges[] {
  return [...groups].map(([revision, changes]) => ({
    memory_ref: memoryRef(scopeMemoryId, revision),
    changes: changes.map(toChange),
  }));
}

function sinceAboveHead(head: number) {
  return invalidRequest([{ path: 'since_revision', message: `is above the head revision ${head}` }]);
}
