import type { TenantId } from '@continuity/kernel/database';
import { mapProfiles, type ProfileKeys } from './profiles.ts';
import { MoveRefusedError, TakenOverError } from './refused-error.ts';
import { deleteRows, digestOf, digestOfRows, insertRows, type RowKey, readBatch, readRows } from './rows.ts';
import { beginSnapshot, inMoveTransaction, type MoveSession } from './session.ts';
import type { TableGroup, TenantTable } from './tenant-tables.ts';

/** How far an incoming tenant is copied. */
export interface Progress {
  /** Groups that are copied to their end. */
  groups: number;
  /** Key of the last copied row of the next group; null at its begin. */
  after: RowKey | null;
  profiles: ProfileKeys;
}

/** Sessions and tables of a copy. */
export interface CopyDeps {
  source: MoveSession;
  target: MoveSession;
  tenantId: TenantId;
  /** This run of the command. */
  run: string;
  groups: readonly TableGroup[];
}

/** Changes that a round has applied. */
export interface Round {
  changes: number;
  isComplete: boolean;
}

/** Rows after which a round commits. */
const roundRows = 2_000;

/** Limit of the changed rows of a round, whose keys take about 300 bytes of memory each. */
const maxChanges = 500_000;

const noProgress: Progress = { groups: 0, after: null, profiles: {} };

/**
 * Copies the next rows, and what has changed since the last round in rows that are copied. Each round reads one moment of the source, and
 * commits on the target in one transaction with its progress. So the copied part of the target always is the source as of one moment, and
 * a killed run is continued from there. Changes that were applied, but not yet deleted from their list, are applied again. Throws a
 * `MoveRefusedError` if too many rows have changed.
 *
 * @param check called on the snapshot of a complete copy, after the commit: the target equals the snapshot
 */
export async function copyRound(
  deps: CopyDeps,
  check?: (changed: ReadonlyMap<TenantTable, RowKey[]>, profiles: ProfileKeys) => Promise<void>,
): Promise<Round> {
  const { source, target, tenantId, run, groups } = deps;
  return await inMoveTransaction(
    source,
    async () => {
      const changes = await readChanges(source, tenantId);
      const copied = await inMoveTransaction(target, async () => {
        const progress = await lockProgress(target, tenantId, run);
        const profiles = await mapProfiles(source, target, progress.profiles);
        // Rows of later groups are copied anyway.
        const begun = groups.slice(0, progress.groups + 1).flatMap(({ tables }) => tables);
        const changed = new Map(begun.map((table) => [table, changes.get(table.name) ?? []]));
        await applyChanges(deps, changed, profiles);
        const next = await copyNext(deps, { ...progress, profiles });
        await target.query('UPDATE tenant_moves SET progress = $2, changed_at = now() WHERE tenant_id = $1', [
          tenantId,
          JSON.stringify(next),
        ]);
        return { changed, next };
      });
      const isComplete = copied.next.groups === groups.length;
      if (isComplete) await check?.(copied.changed, copied.next.profiles);
      // Those of the snapshot alone: later ones are not applied yet.
      await source.query('DELETE FROM tenant_changes WHERE tenant_id = $1', [tenantId]);
      const counts = [...changes.values()].map((keys) => keys.length);
      return { changes: counts.reduce((sum, count) => sum + count, 0), isComplete };
    },
    beginSnapshot,
  );
}

/**
 * A check for `copyRound`: compares the rows and digests of all tables. Throws a `MoveRefusedError` that names the tables that differ. The
 * source is read in the snapshot of the round.
 */
export function checkAllTables({ source, target, tenantId, groups }: CopyDeps) {
  return async (_changed: unknown, profiles: ProfileKeys): Promise<void> => {
    const different: string[] = [];
    for (const table of groups.flatMap(({ tables }) => tables)) {
      const [before, after] = await Promise.all([
        digestOf(source, table, tenantId, profiles),
        digestOf(target, table, tenantId, null),
      ]);
      if (before.rows !== after.rows || before.sum !== after.sum)
        different.push(`${table.name} (${before.rows} and ${after.rows} rows)`);
    }
    refuseDifferent(different);
  };
}

/** A check for `copyRound`: compares the changed rows alone, after `checkAllTables` has compared all. */
export function checkChangedRows({ source, target }: CopyDeps) {
  return async (changed: ReadonlyMap<TenantTable, RowKey[]>, profiles: ProfileKeys): Promise<void> => {
    const different: string[] = [];
    for (const [table, keys] of changed) {
      if (keys.length === 0) continue;
      const [before, after] = await Promise.all([
        digestOfRows(source, table, keys, profiles, true),
        digestOfRows(target, table, keys, profiles, false),
      ]);
      if (before.rows !== after.rows || before.sum !== after.sum) different.push(table.name);
    }
    refuseDifferent(different);
  };
}

function refuseDifferent(tables: readonly string[]): void {
  if (tables.length === 0) return;
  throw new MoveRefusedError(
    `The copy differs from the tables of its server: ${tables.join(', ')}. Nothing was switched. Abort the move by --abort, and report this.`,
  );
}

/** Replaces the changed rows of the target by those of the source. Deletes all before it inserts: two rows may have exchanged a unique value. */
async function applyChanges(
  { source, target }: CopyDeps,
  changed: ReadonlyMap<TenantTable, RowKey[]>,
  profiles: ProfileKeys,
): Promise<void> {
  for (const [table, keys] of changed) await deleteRows(target, table, keys, profiles);
  for (const [table, keys] of changed)
    for await (const rows of readRows(source, table, keys, profiles)) await insertRows(target, table, rows);
}

/** Copies the next rows: a batch of a large table, or several small tables. */
async function copyNext(deps: CopyDeps, progress: Progress): Promise<Progress> {
  let next = progress;
  for (let copied = 0; copied < roundRows; ) {
    const group = deps.groups[next.groups];
    if (group === undefined) return next;
    const following = { ...next, groups: next.groups + 1, after: null };
    const [table] = group.tables;
    if (group.isWhole || table === undefined) {
      for (const one of group.tables) copied += await copyWhole(deps, one, next.profiles);
      next = following;
      continue;
    }
    const { rows, last } = await readBatch(deps.source, table, deps.tenantId, next);
    await insertRows(deps.target, table, rows);
    copied += rows.length;
    next = last === undefined ? following : { ...next, after: last };
  }
  return next;
}

async function copyWhole(
  { source, target, tenantId }: CopyDeps,
  table: TenantTable,
  profiles: ProfileKeys,
): Promise<number> {
  let copied = 0;
  for (let after: RowKey | null = null; ; ) {
    const batch = await readBatch(source, table, tenantId, { after, profiles });
    if (batch.last === undefined) return copied;
    await insertRows(target, table, batch.rows);
    copied += batch.rows.length;
    after = batch.last;
  }
}

/** Locks the row of the move on the target, so that no other run goes on meanwhile. Throws a `TakenOverError` if one has. */
async function lockProgress(target: MoveSession, tenantId: TenantId, run: string): Promise<Progress> {
  const { rows } = await target.query<{ progress: Progress | null }>(
    "SELECT progress FROM tenant_moves WHERE tenant_id = $1 AND run = $2 AND state = 'incoming' FOR UPDATE",
    [tenantId, run],
  );
  const [row] = rows;
  if (row === undefined) throw new TakenOverError();
  return row.progress ?? noProgress;
}

/** The keys of changed rows by table, each one once. Throws a `MoveRefusedError` if they are too many for the memory of this process. */
async function readChanges(source: MoveSession, tenantId: TenantId): Promise<Map<string, RowKey[]>> {
  const { rows } = await source.query<{ table_name: string; key: RowKey }>(
    'SELECT DISTINCT table_name, key FROM tenant_changes WHERE tenant_id = $1 LIMIT $2',
    [tenantId, maxChanges + 1],
  );
  if (rows.length > maxChanges)
    throw new MoveRefusedError(
      `More than ${maxChanges} rows have changed since the last batch, which is more than this command applies at once. Abort the move by --abort, and begin it again.`,
    );
  const byTable = new Map<string, RowKey[]>();
  for (const { table_name, key } of rows) {
    const keys = byTable.get(table_name);
    if (keys === undefined) byTable.set(table_name, [key]);
    else keys.push(key);
  }
  return byTable;
}
