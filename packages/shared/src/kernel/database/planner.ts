import { setAll } from './session.ts';

/**
 * Planner settings for the named statements. Each statement is written for one plan, whatever its values: index look-ups, row by
 * row. A prepared statement keeps its plan, and the estimates behind a plan can be far off: an array or a LIMIT of unknown
 * size, a table that was almost empty when its statistics were taken. So the server plans each statement once, and scans a
 * whole table only if no index serves. Queries of Prisma run with the defaults.
 */
export const plannerSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
  // Estimates trigger compilation, which takes longer than any statement of the service.
  jit: 'off',
};

/** Makes pgvector scan past the vectors of other Scopes until it has found the number that the statement's LIMIT names. */
export const vectorSettings = { 'hnsw.iterative_scan': 'relaxed_order', 'hnsw.ef_search': '200' };

/** pgvector has these settings since 0.8. A server that has not loaded the extension accepts them as placeholders. */
const vectorSql = `
  SELECT ${Object.entries(vectorSettings)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')}
  WHERE current_setting('hnsw.ef_search', true) IS NULL OR current_setting('hnsw.iterative_scan', true) IS NOT NULL`;

/** SQL that configures the planner of a session for the named statements. */
export const plannerSql = `${setAll(plannerSettings)}; ${vectorSql}`;
