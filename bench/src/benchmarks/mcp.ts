import type { Benchmark, Finding, Throughput } from '../benchmark.ts';
import { createFilledScopes, vacuumTables } from '../data/fill-scope.ts';
import { seededRandom } from '../data/random.ts';
import { makeQuery } from '../data/texts.ts';
import { type HttpResult, latencyOf, send } from '../load/http-load.ts';
import { searchRequest, searchToolRequest } from '../load/requests.ts';
import { groupRow, latencyRatio } from '../report/rows.ts';
import { runOnService } from '../servers/run-on-service.ts';

/** Limit for the latency of a tool call, as a multiple of that of the same search over HTTP. */
const maxRatio = 1.5;
const entries = 1_000;
const scopeId = 'mcp';

export const mcp: Benchmark = {
  name: 'mcp',
  summary: 'latency of a search as a tool call of MCP, compared with HTTP',
  run: (bench) =>
    runOnService(bench, {}, async ({ url, databaseUrl, load }) => {
      const { isQuick, log } = bench;
      const random = seededRandom(67);
      await createFilledScopes({ load, url, databaseUrl }, [scopeId], isQuick ? 10 : entries, random);
      await vacuumTables(databaseUrl);
      const turns = Array.from({ length: isQuick ? 5 : 2_000 }, () => makeQuery(random)).flatMap((query) => [
        { ...searchRequest(scopeId, query), group: 'http' },
        { ...searchToolRequest(scopeId, query), group: 'mcp' },
      ]);
      log('mcp: searches over HTTP and MCP in turns');
      await send(load, [url], turns.slice(0, turns.length / 4), { connections: 1 });
      return report(await send(load, [url], turns, { connections: 1 }));
    }),
};

function report(result: HttpResult): { throughputs: Throughput[]; findings: Finding[] } {
  const rows = { http: 'search over HTTP', mcp: 'search over MCP' };
  const throughputs = Object.entries(rows).map(([group, name]) => groupRow(name, result, group));
  const [overHttp, overMcp] = [latencyOf(result, 'http').p50Ms, latencyOf(result, 'mcp').p50Ms];
  const finding = latencyRatio('search over MCP / over HTTP', overHttp, overMcp, maxRatio);
  return { throughputs, findings: [finding] };
}
