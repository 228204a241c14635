import type pg from 'pg';
import { contradictions } from './queries.ts';

/** Searches one snapshot for contradictory rows. Throws with the first contradiction and its rows. */
export async function checkRows(pool: pg.Pool, scopes: string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    for (const [rule, text] of Object.entries(contradictions)) {
      const { rows } = await client.query(text, [scopes]);
      if (rows.length > 0) throw new Error(`${rule}\n${JSON.stringify(rows.slice(0, 5), undefined, 2)}`);
    }
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
