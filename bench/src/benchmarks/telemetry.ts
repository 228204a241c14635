import type { Benchmark } from '../benchmark.ts';
import { send } from '../load/http-load.ts';
import { median } from '../report/median.ts';
import type { Service } from '../servers/service.ts';
import { measuredOperations, type Workload } from './measured-operations.ts';
import { createWorkload } from './workload.ts';

const connections = 32;
const maxPercent = 10;
const scrapeMs = 1_000;
/** Upper bound for the requests/s of a gateway: so many requests are prepared. */
const maxPerSecond = 12_000;

/** One round of one gateway. */
interface Round {
  perSecond: number;
  /** Processor time of the gateway for each request, in milliseconds. */
  processorMs: number;
}

export const telemetry: Benchmark = {
  name: 'telemetry',
  summary: 'throughput and processor time of a mixed load with and without the export of traces and metrics',
  run: async (bench) => {
    const { servers, isQuick, log } = bench;
    const database = await servers.createDatabase();
    const collector = await servers.startCollector();
    const { environment } = collector;
    const on = await servers.startSeparate({ databaseUrl: database.url, environment });
    const off = await servers.startSeparate({ databaseUrl: database.url });
    const load = servers.startLoad();
    const stopScraping = scrapeEachSecond(on);
    try {
      const workload = await createWorkload(bench, load, database.url);
      const roundMs = isQuick ? 100 : 700;
      const measure = async (service: Service): Promise<Round> => {
        const requests = mixedRequests(workload, roundMs);
        const before = await processorMsOf(service);
        const { count, perSecond } = await send(load, [urlOf(service)], requests, {
          connections,
          maxMs: roundMs,
        });
        return { perSecond, processorMs: ((await processorMsOf(service)) - before) / count };
      };
      const pairs: { on: Round; off: Round }[] = [];
      const [warmUpRounds, rounds] = isQuick ? [1, 1] : [8, 16];
      for (let round = -warmUpRounds; round < rounds; round += 1) {
        // Both sides alternate, and take turns at being the first, so that other load on the machine affects both alike.
        const first = await measure(round % 2 === 0 ? on : off);
        const second = await measure(round % 2 === 0 ? off : on);
        if (round >= 0) pairs.push(round % 2 === 0 ? { on: first, off: second } : { on: second, off: first });
      }
      log(`telemetry: ${pairs.map((pair) => (pair.on.perSecond / pair.off.perSecond).toFixed(2)).join(' ')}`);
      const rate = (side: 'on' | 'off') => median(pairs.map((pair) => pair[side].perSecond));
      return {
        throughputs: [],
        findings: [
          {
            name: 'mixed load: requests/s lost to the export of traces and metrics',
            value: 100 * (1 - median(pairs.map((pair) => pair.on.perSecond / pair.off.perSecond))),
            unit: '%',
            bar: { kind: 'at most', limit: maxPercent },
            note: `${rate('on').toFixed(0)} and ${rate('off').toFixed(0)} requests/s, ${connections} connections`,
          },
          {
            name: 'mixed load: processor time of the gateway for each request, with / without export',
            value: median(pairs.map((pair) => pair.on.processorMs / pair.off.processorMs)),
            unit: '×',
          },
        ],
      };
    } finally {
      await stopScraping();
      await load.close();
      await Promise.all([on.stop(), off.stop()]);
      await Promise.all([collector.stop(), database.drop()]);
    }
  },
};

function urlOf({ urls: [url = ''] }: Service): string {
  return url;
}

async function processorMsOf({ gateways }: Service): Promise<number> {
  const times = await Promise.all(gateways.map((gateway) => gateway.processorMs()));
  return times.reduce((sum, ms) => sum + ms, 0);
}

/** The same number of requests of each operation, one after the other. */
function mixedRequests(workload: Workload, roundMs: number) {
  const rounds = Math.ceil((maxPerSecond * roundMs) / 1_000 / measuredOperations.length);
  return Array.from({ length: rounds }, () =>
    measuredOperations.map((operation) => operation.makeRequest(workload)),
  ).flat();
}

/** Reads `/metrics` as a Prometheus would, only more often. */
function scrapeEachSecond(service: Service): () => Promise<void> {
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = fetch(`${urlOf(service)}/metrics`).then(
      (answer) => answer.text().then(() => undefined),
      () => undefined,
    );
  }, scrapeMs);
  return async () => {
    clearInterval(timer);
    await last;
  };
}
