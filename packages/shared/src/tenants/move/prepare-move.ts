import { randomUUID } from 'node:crypto';
import type { TenantId } from '@continuity/kernel/database';
import type { MoveSession } from './session.ts';
import {
  groupTables,
  readTenantTables,
  requireSameTables,
  type TableGroup,
  type TenantTable,
} from './tenant-tables.ts';

/** A server and a session on it. On `source` and `target`, the session has the lock of the tenant (`lockOnServer`). */
export interface MoveServer {
  name: string;
  session: MoveSession;
}

/** A step of a move, as the command reports it. */
export type MoveStep =
  | 'prepare'
  | 'copy'
  | 'compare'
  | 'block'
  | 'leave'
  | 'activate'
  | 'switch'
  | 'end'
  | 'abort';

export interface MoveOptions {
  /** Server with the directory. */
  directory: MoveSession;
  source: MoveServer;
  target: MoveServer;
  /** With the version of the move that brought it to `source`, as the directory has it. */
  tenant: { name: string; tenantId: TenantId; moveVersion: string | null };
  /** Opens the servers of the deployment that are neither of the two. Throws if one does not answer. */
  openOthers: () => Promise<readonly MoveServer[]>;
  report: (step: MoveStep) => void;
}

/** A move, as one run of the command works on it. */
export interface Move extends MoveOptions {
  run: string;
  /** Tables as they were when the run began, in the order of the columns on the target. */
  tables: readonly TenantTable[];
  groups: readonly TableGroup[];
}

/** Reads the tables of both servers. Throws a `MoveRefusedError` if they differ. */
export async function prepareMove(options: MoveOptions): Promise<Move> {
  const [before, after] = await Promise.all([
    readTenantTables(options.source.session),
    readTenantTables(options.target.session),
  ]);
  requireSameTables(before, after);
  return { ...options, run: randomUUID(), tables: after, groups: groupTables(after) };
}
