import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, Finding } from '../benchmark.ts';
import { send } from '../load/http-load.ts';
import type { Program } from '../servers/program.ts';
import { runOnService } from '../servers/run-on-service.ts';
import { hostileRequests } from '../walls/bodies.ts';

const maxMib = 150;
const maxCorePercent = 1;

/** As in the container image and under `npm start`: the allocator returns freed memory to the system. */
const imageSettings = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

export const idle: Benchmark = {
  name: 'idle',
  summary: 'memory and processor time of idle processes, after the start and a minute after hostile requests',
  run: (bench) =>
    runOnService(bench, bench.isQuick ? {} : { environment: imageSettings }, async ({ service, load }) => {
      const { isQuick, log } = bench;
      const [gateway] = service.gateways;
      const [worker, reportWorker] = service.workers;
      if (gateway === undefined || worker === undefined || reportWorker === undefined)
        throw new Error('A process is missing.');
      log('idle: after the start');
      await sleep(isQuick ? 0 : 30_000);
      const windowMs = isQuick ? 100 : 20_000;
      const atRest = await Promise.all([
        measureIdle('gateway', gateway, windowMs),
        measureIdle('worker', worker, windowMs),
        measureIdle('report worker', reportWorker, windowMs),
      ]);
      log('idle: after hostile requests');
      const ms = isQuick ? 100 : 15_000;
      await send(load, service.urls, hostileRequests(), {
        connections: 4,
        maxMs: ms,
        repeats: true,
        allowFailures: true,
      });
      const peak = await gateway.memoryMib();
      await sleep(isQuick ? 0 : 60_000);
      const after: Finding = {
        name: 'gateway, a minute after hostile requests: memory',
        value: await gateway.memoryMib(),
        unit: 'MiB',
        note: `${peak.toFixed(0)} MiB right after them`,
      };
      return { throughputs: [], findings: [...atRest.flat(), after] };
    }),
};

async function measureIdle(name: string, program: Program, windowMs: number): Promise<Finding[]> {
  const before = await program.processorMs();
  await sleep(windowMs);
  const used = (await program.processorMs()) - before;
  return [
    {
      name: `idle ${name}: memory`,
      value: await program.memoryMib(),
      unit: 'MiB',
      bar: { kind: 'at most', limit: maxMib },
    },
    {
      name: `idle ${name}: share of a core`,
      value: (100 * used) / windowMs,
      unit: '%',
      bar: { kind: 'at most', limit: maxCorePercent },
    },
  ];
}
