import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bite,
  fillRedis,
  freezeWhileBusy,
  type Ground,
  handleOf,
  kill,
  killRedisClients,
  makeRoom,
  type PartName,
  shiftDatabaseClock,
  startAgain,
  takeAllConnections,
  terminateSessions,
} from './actions.ts';
import type { ProcessName, WorkerName } from './deployment.ts';

const hourMs = 3_600_000;

/** One fault, as data. `forMs` is the time until the part is started, woken or healed. */
export type Fault =
  | { what: 'killed'; part: PartName; forMs: number }
  | { what: 'killed, its data lost'; part: 'redis'; forMs: number }
  | { what: 'frozen'; part: PartName; forMs: number }
  | { what: 'connections ended'; part: 'postgres' | 'redis' }
  | { what: 'full'; part: 'redis'; forMs: number }
  | { what: 'connections exhausted'; part: 'postgres'; forMs: number }
  | { what: 'clock jumps'; part: ProcessName; byMs: number; forMs: number }
  | { what: 'database clock jumps'; part: 'postgres'; byMs: number }
  /** The lease of a dead worker lies in the future. */
  | { what: 'killed, then the database clock jumps back'; part: WorkerName; forMs: number };

/** Longer than the lease of a worker, and than the longest transaction of a frozen process. */
const pastLeaseMs = 8_500;

/** Each kind of fault, on each part that it can hit. */
export const faults: readonly Fault[] = [
  { what: 'killed', part: 'gateway-1', forMs: 500 },
  { what: 'killed', part: 'flush-1', forMs: 0 },
  { what: 'killed', part: 'generation', forMs: 500 },
  { what: 'killed', part: 'embedding', forMs: 500 },
  { what: 'killed', part: 'embedder', forMs: 1_000 },
  { what: 'killed', part: 'reports', forMs: 0 },
  { what: 'killed', part: 'scan', forMs: 500 },
  { what: 'killed', part: 'reconcile', forMs: 500 },
  { what: 'killed', part: 'redis', forMs: 1_000 },
  { what: 'killed, its data lost', part: 'redis', forMs: 1_000 },
  { what: 'killed', part: 'postgres', forMs: 1_000 },
  { what: 'connections ended', part: 'postgres' },
  { what: 'connections ended', part: 'redis' },
  { what: 'frozen', part: 'gateway-2', forMs: pastLeaseMs },
  { what: 'frozen', part: 'flush-2', forMs: pastLeaseMs },
  { what: 'frozen', part: 'generation', forMs: pastLeaseMs },
  { what: 'frozen', part: 'embedding', forMs: pastLeaseMs },
  { what: 'frozen', part: 'reports', forMs: pastLeaseMs },
  { what: 'frozen', part: 'scan', forMs: pastLeaseMs },
  { what: 'frozen', part: 'reconcile', forMs: pastLeaseMs },
  { what: 'frozen', part: 'redis', forMs: 5_000 },
  { what: 'frozen', part: 'postgres', forMs: pastLeaseMs },
  { what: 'full', part: 'redis', forMs: 2_000 },
  { what: 'connections exhausted', part: 'postgres', forMs: 2_000 },
  { what: 'clock jumps', part: 'gateway-1', byMs: hourMs, forMs: 1_500 },
  { what: 'clock jumps', part: 'flush-1', byMs: -hourMs, forMs: 1_500 },
  { what: 'database clock jumps', part: 'postgres', byMs: hourMs },
  { what: 'database clock jumps', part: 'postgres', byMs: -hourMs },
  { what: 'killed, then the database clock jumps back', part: 'flush-2', forMs: pastLeaseMs },
];

export const nameOf = (fault: Fault) =>
  `${fault.part} ${fault.what}${'byMs' in fault ? ` by ${fault.byMs / hourMs} h` : ''}`;

/** A fault that was injected and is over. */
export interface Injected {
  bite: Bite;
  /** When the fault began, and when the part was back, by `performance.now`. */
  from: number;
  backAt: number;
}

/** Injects faults that begin together. They are over when the last one is. */
export async function injectTogether(ground: Ground, together: readonly Fault[]): Promise<Injected> {
  const injected = await Promise.all(together.map((fault) => inject(ground, fault)));
  return {
    bite: injected.map(({ bite }) => bite).join(', '),
    from: Math.min(...injected.map(({ from }) => from)),
    backAt: Math.max(...injected.map(({ backAt }) => backAt)),
  };
}

/** Injects a fault at a moment at which its part has work, waits for its time, and heals it. */
async function inject(ground: Ground, fault: Fault): Promise<Injected> {
  const begin = async (): Promise<Bite> => {
    switch (fault.what) {
      case 'connections ended':
        return fault.part === 'redis' ? await killRedisClients(ground) : await terminateSessions(ground);
      case 'full':
        return await fillRedis(ground);
      case 'connections exhausted':
        return await takeAllConnections(ground, fault.forMs);
      case 'clock jumps': {
        const bite = await freezeWhileBusy(ground, fault.part);
        const part = ground.deployment.processes[fault.part];
        const shifted = part.shiftClock(fault.byMs);
        await part.wake();
        await shifted;
        return bite;
      }
      case 'database clock jumps':
        return await shiftDatabaseClock(ground, fault.byMs);
      case 'killed, then the database clock jumps back': {
        const bite = await freezeWhileBusy(ground, fault.part);
        await kill(ground, fault.part);
        await shiftDatabaseClock(ground, -hourMs);
        return bite;
      }
      default: {
        const bite = await freezeWhileBusy(ground, fault.part);
        if (fault.what !== 'frozen') await kill(ground, fault.part);
        return bite;
      }
    }
  };
  const bite = await begin();
  const from = performance.now();
  if ('forMs' in fault && fault.what !== 'connections exhausted') await sleep(fault.forMs);
  await heal(ground, fault);
  return { bite, from, backAt: performance.now() };
}

async function heal(ground: Ground, fault: Fault): Promise<void> {
  const { deployment } = ground;
  switch (fault.what) {
    case 'frozen':
      return await handleOf(deployment, fault.part).wake();
    case 'killed, its data lost':
      await deployment.redis.eraseData();
      return await startAgain(ground, fault.part);
    case 'killed':
    case 'killed, then the database clock jumps back':
      return await startAgain(ground, fault.part);
    case 'full':
      return await makeRoom(ground);
    case 'clock jumps':
      return await deployment.processes[fault.part].shiftClock(0);
    default:
      return;
  }
}
