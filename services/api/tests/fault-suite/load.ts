import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from './caller.ts';
import { type GatewayName, gatewayNames } from './deployment.ts';
import type { Ledger } from './ledger.ts';
import { type MakeWrite, writers } from './writers.ts';

/** Writers of each kind at each gateway: while one waits for a lost job, the other one shows that the service is back. */
const writersPerGateway = 2;

/** Pause of a writer after each write. */
const pauseMs = 400;

/** Writes of one writer in one Scope. */
const writesPerScope = 40;

/** An import that finds a pending Candidate of its Scope is no job. */
const importsPerScope = 1;

/** Interval of the reads of readiness and of liveness. */
const healthMs = 500;

/** Limit of the end of the last writes. */
const endMs = 60_000;

export interface Load {
  /** Every Scope that was written to. */
  scopes: ReadonlySet<string>;
  /** Lets each writer end its write. */
  stop(): Promise<void>;
}

/** Starts writers of all kinds at all gateways. */
export function startLoad(ledger: Ledger, urls: Record<GatewayName, string>, projectId: string): Load {
  let isStopped = false;
  let isOver = false;
  const scopes = new Set<string>();
  const runWriter = async (name: string, makeWrite: MakeWrite, caller: Caller) => {
    const perScope = makeWrite === writers.import ? importsPerScope : writesPerScope;
    for (let count = 0; !isStopped; count += 1) {
      const scope = `${name}-${Math.floor(count / perScope)}`;
      scopes.add(scope);
      await makeWrite({ caller, ledger, projectId, isOver: () => isOver }, `${name}-${count}`, scope, count);
      await sleep(pauseMs);
    }
  };
  const readHealth = async (gateway: GatewayName, kind: 'readiness' | 'liveness', path: string) => {
    while (!isStopped) {
      const exchange = ledger.begin(kind, gateway);
      const answer = await fetch(urls[gateway] + path).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      );
      ledger.end(exchange, answer.status === 0 ? 'cut' : 'success', answer.text);
      await sleep(healthMs);
    }
  };
  const running = gatewayNames.flatMap((gateway) => [
    readHealth(gateway, 'readiness', '/health/ready'),
    readHealth(gateway, 'liveness', '/health/live'),
    ...Object.entries(writers).flatMap(([kind, makeWrite]) =>
      Array.from({ length: writersPerGateway }, (_, index) => {
        const caller = new Caller(ledger, gateway, urls[gateway]);
        return runWriter(`${kind}-${gateway}-${index}`, makeWrite, caller);
      }),
    ),
  ]);
  return {
    scopes,
    stop: async () => {
      isStopped = true;
      const limit = setTimeout(() => {
        isOver = true;
      }, endMs);
      await Promise.all(running);
      clearTimeout(limit);
    },
  };
}
