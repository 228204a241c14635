import type { Benchmark } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { makeEntry } from '../data/texts.ts';
import { send } from '../load/http-load.ts';
import { entryBytes, rememberRequest } from '../load/requests.ts';
import { query } from '../servers/query.ts';
import { runOnService } from '../servers/run-on-service.ts';

const entries = 5_000;
const maxMegabytes = 25;
const bytesPerMegabyte = 1e6;

export const size: Benchmark = {
  name: 'size',
  summary: 'database size of 5,000 entries of 200 bytes',
  run: (bench) =>
    runOnService(bench, {}, async ({ url, databaseUrl, load }) => {
      const { isQuick, log } = bench;
      const count = isQuick ? 100 : entries;
      log(`size: remembering ${count} entries`);
      const before = await tableSizes(databaseUrl);
      const random = seededRandom(41);
      const requests = Array.from({ length: count }, () =>
        rememberRequest('size', makeEntry(random, entryBytes)),
      );
      await send(load, [url], requests, { connections: 8 });
      const after = await tableSizes(databaseUrl);
      const grown = [...after].map(([table, bytes]) => ({ table, bytes: bytes - (before.get(table) ?? 0) }));
      return {
        throughputs: [],
        findings: [
          {
            name: `database size of ${count} entries of ${entryBytes} bytes`,
            value: grown.reduce((sum, { bytes }) => sum + bytes, 0) / bytesPerMegabyte,
            unit: 'MB',
            bar: { kind: 'at most', limit: maxMegabytes },
            note: describeLargest(grown),
          },
        ],
      };
    }),
};

/** Bytes of each table, indexes included. */
async function tableSizes(url: string): Promise<Map<string, number>> {
  const rows = await query<{ table: string; bytes: number }>(
    url,
    `SELECT relname AS table, pg_total_relation_size(oid)::float8 AS bytes
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ table, bytes }) => [table, bytes]));
}

function describeLargest(tables: { table: string; bytes: number }[]): string {
  const largest = tables.toSorted((left, right) => right.bytes - left.bytes).slice(0, 3);
  return largest.map(({ table, bytes }) => `${table} ${(bytes / bytesPerMegabyte).toFixed(1)}`).join(', ');
}
