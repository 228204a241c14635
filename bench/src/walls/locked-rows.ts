import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { seededRandom } from '../data/random.ts';
import { makeEntry } from '../data/texts.ts';
import { type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import { entryBytes, rememberRequest } from '../load/requests.ts';
import { attackWith, commonBars, type Wall } from './wall.ts';

const scopeId = 'locked';
const writers = 24;

/**
 * 24 writers of one Scope whose Memory a frozen process has locked. A session without limits plays that process, so that it holds
 * the lock during the whole measurement.
 */
export async function lockedRows(
  url: string,
  databaseUrl: string,
  load: HttpLoad,
  token: string,
  light: HttpRequest[],
): Promise<Wall> {
  const random = seededRandom(53);
  const write = () => ({ ...rememberRequest(scopeId, makeEntry(random, entryBytes)), token });
  await send(load, [url], [write()], { connections: 1 });
  return {
    name: 'frozen process',
    light,
    bars: commonBars,
    attack: async (ms) => {
      const frozen = new pg.Client({ connectionString: databaseUrl });
      await frozen.connect();
      try {
        await frozen.query('BEGIN');
        await frozen.query(
          `SELECT FROM artifacts JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1 FOR UPDATE OF artifacts`,
          [scopeId],
        );
        const unlocked = sleep(ms).then(() => frozen.query('ROLLBACK'));
        const attack = attackWith(url, Array.from({ length: 200 }, write), writers, ms);
        return (await Promise.all([attack, unlocked]))[0];
      } finally {
        await frozen.end();
      }
    },
  };
}
