import type pg from 'pg';

/**
 * How the server plans the statements of a connection. Each is written for one plan, whatever its values: index look-ups, row by
 * row. A prepared statement keeps its plan, and the estimates behind it can be far off: an array or a LIMIT of unknown size,
 * a table that was all but empty when its statistics were taken. So plans are made once, and what reads a whole table is the
 * last resort.
 */
const settings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
  // Takes longer than any statement of the service, and is switched on by estimates.
  jit: 'off',
};

/**
 * How pgvector walks through its index: on, past the vectors of other Scopes, until it has as many as are wanted. Known from
 * 0.8 on; a server without the extension, or one that has not loaded it yet, takes the settings and keeps them for it.
 */
const vectorSettings = `
  SELECT set_config('hnsw.iterative_scan', 'relaxed_order', false), set_config('hnsw.ef_search', '200', false)
  WHERE current_setting('hnsw.ef_search', true) IS NULL OR current_setting('hnsw.iterative_scan', true) IS NOT NULL`;

const text = [
  ...Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`),
  vectorSettings,
].join('; ');

/** Prepares a new connection. By SET, because poolers between here and the server refuse start-up options. */
export async function settlePlanner(client: pg.ClientBase): Promise<void> {
  await client.query(text);
}
