import pg from 'pg';

/** Days with counters of each Scope, among the last thirty. */
const activeDays = 3;

/** Inserts counters of context preparations and of extraction calls for Scopes. */
export async function insertDailyCounters(databaseUrl: string, scopeIds: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO recall_days
       SELECT tenant_id, scope_key, (now() AT TIME ZONE 'UTC')::date - n * 9, 'character:weighted/1', 20, 17, 12, 9000, 2100
       FROM scopes, generate_series(0, ${activeDays - 1}) AS n WHERE scope_id = ANY ($1)`,
      [scopeIds],
    );
    await client.query(
      `INSERT INTO model_usage_days
       SELECT tenant_id, scope_key, (now() AT TIME ZONE 'UTC')::date - n * 9, 'memory_extraction', 'generation', 4,
         12000, 900
       FROM scopes, generate_series(0, ${activeDays - 1}) AS n WHERE scope_id = ANY ($1)`,
      [scopeIds],
    );
  } finally {
    await client.end();
  }
}
