import { randomUUID } from 'node:crypto';
import { type Client, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { query } from './sql.ts';

export interface Fields {
  title?: string;
  summary?: string;
  parent_scope_id?: string | null;
  context_references?: string[];
  external_references?: { kind: string; value: string }[];
}

const plain = { title: 'A title', summary: 'A summary.' };

/** Short calls of the Scope operations. */
export function scopeCalls(service: Pick<Client, 'call'>) {
  const calls = {
    create: (fields: Fields = {}, idempotency_key: string = randomUUID()) =>
      service.call('create_scope', { body: { ...plain, ...fields, idempotency_key } }),
    /** Creates a Scope and returns its id. */
    made: async (fields: Fields = {}) => (await calls.create(fields)).body.scope_id,
    /** Creates a Scope with the caller's id through its first data write. */
    captured: async (scope_id: string) => {
      await service.call('capture_content_source', { body: { scope_id, source_id: 's', content: 'c' } });
      return scope_id;
    },
    get: (scope_id: string) => service.call('get_scope', { params: { scope_id } }),
    update: (scope_id: string, expected_version: number, fields: Fields = {}) =>
      service.call('update_scope', {
        params: { scope_id },
        body: { ...plain, ...fields, expected_version },
      }),
    list: (query: Record<string, string> = {}) => service.call('list_scopes', { query }),
    /** Ids of a subtree, in the order of the answer. */
    below: async (root_scope_id: string) => {
      const selection = { mode: 'subtree' as const, root_scope_id };
      const { body } = await service.call('resolve_scope_selection', { body: { selection } });
      return body.items.map(({ scope_id }) => scope_id);
    },
    exact: (...scope_ids: string[]) =>
      service.call('resolve_scope_selection', { body: { selection: { mode: 'exact', scope_ids } } }),
  };
  return calls;
}

/** Status and error of a reply, to compare replies. */
export const outcome = ({ status, error }: { status: number; error: unknown }) => [status, error];

/** Runs a statement in an open transaction and so holds its locks until the returned function is called. */
export async function holdLock(databaseUrl: string, text: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(text);
  return () => client.end();
}

/** Waits until exactly `count` statements wait for a lock. */
export async function whenWaiting(databaseUrl: string, count: number): Promise<void> {
  const text = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await waitUntil(async () => (await query(databaseUrl, text)).length === count, {
    what: `${count} statements that wait for a lock`,
  });
}
