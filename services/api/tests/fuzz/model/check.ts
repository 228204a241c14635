import { clientFor, waitUntil } from '@continuity/testing';
import type pg from 'pg';
import type { Player } from '../player.ts';
import { checkRevisions, revisionsIn } from './artifacts.ts';
import { checkCitations, checkHistory, checkSearch, entriesIn } from './memory.ts';
import { checkReplays } from './replays.ts';
import { checkRows } from './rows.ts';
import { checkSources, sourcesIn } from './sources.ts';

/** Time limit for the jobs of a run, in milliseconds. */
const jobsLimitMs = 180_000;

/** Checks the state after a run: jobs end, and rows, replays, Sources, revisions, histories, citations and search agree. */
export async function checkModel(player: Player, pool: pg.Pool): Promise<void> {
  const { stage, exchanges } = player;
  const scopes = scopesOf(player);
  await player.check('jobs end', () => checkJobsEnd(pool, scopes));
  await player.check('rows', () => checkRows(pool, scopes));
  await player.check('replays', async () => checkReplays(exchanges));
  for (const [tenant, token] of stage.tokens.entries()) {
    const client = clientFor(stage.url, { authorization: `Bearer ${token}` });
    await player.check('sources', () => checkSources(stage, tenant, sourcesIn(exchanges, tenant)));
    await player.check('revisions', () => checkRevisions(stage, tenant, revisionsIn(exchanges, tenant)));
    for (const scope of scopes) {
      const entries = entriesIn(exchanges, tenant, scope);
      await player.check('history', () => checkHistory(client, scope));
      await player.check('citations', () => checkCitations(client, scope, entries));
      await player.check('search', async () =>
        checkSearch(client, scope, await entriesWithTerms(pool, scope)),
      );
    }
  }
}

/** Spec 20 M19: a run in which every request was refused has not created a Scope. */
export async function checkRefusals(player: Player, pool: pg.Pool): Promise<void> {
  if (player.exchanges.some(({ answer }) => answer.error === undefined)) return;
  await player.check('nothing was written', async () => {
    const { rows } = await pool.query('SELECT scope_id FROM scopes WHERE scope_id = ANY($1)', [
      player.scopes,
    ]);
    if (rows.length > 0) throw new Error(`A refused request has made ${JSON.stringify(rows)}.`);
  });
}

/** Scopes that successful requests named. */
function scopesOf({ exchanges }: Player): string[] {
  const named = exchanges.flatMap(({ request, sent, answer }) =>
    answer.error === undefined
      ? [request.plain?.params['scope_id'], (sent as { scope_id?: unknown })?.scope_id]
      : [],
  );
  return [...new Set(named.filter((scope) => typeof scope === 'string'))];
}

async function checkJobsEnd(pool: pg.Pool, scopes: string[]): Promise<void> {
  const unfinished = 'SELECT job_id FROM jobs WHERE scope_id = ANY($1) AND finished_at IS NULL';
  const { rows } = await pool.query<{ job_id: string }>(unfinished, [scopes]);
  const ids = rows.map(({ job_id }) => job_id);
  const isOver = async () => {
    const left = await pool.query(`${unfinished} AND job_id = ANY($2::uuid[])`, [scopes, ids]);
    return left.rowCount === 0;
  };
  await waitUntil(isOver, { timeoutMs: jobsLimitMs, what: 'all jobs have ended' });
}

async function entriesWithTerms(pool: pg.Pool, scope: string): Promise<Set<string>> {
  const { rows } = await pool.query<{ entry_id: string }>(
    `SELECT s.entry_id FROM scopes c JOIN memory_states s USING (tenant_id, scope_key)
     WHERE c.scope_id = $1 AND s.length > 0`,
    [scope],
  );
  return new Set(rows.map(({ entry_id }) => entry_id));
}
