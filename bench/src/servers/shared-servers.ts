import { ownServers, type Servers } from './servers.ts';
import type { Stores } from './stores.ts';

const keepRunning = async () => undefined;

/**
 * The servers of a quick run, most of whose time would be starts: one database for all benchmarks, and one service for each
 * environment and program. They run until `close`.
 */
export function shareServers(stores: Stores): Servers & { close(): Promise<void> } {
  const own = ownServers(stores);
  const opened = new AsyncDisposableStack();
  const startOnce = (start: Servers['startSeparate'] | Servers['startAllInOne']) =>
    memoize(async (options: Parameters<Servers['startSeparate']>[0]) => {
      const service = await start(options);
      opened.defer(() => service.stop());
      return { ...service, stop: keepRunning };
    });
  const [startSeparate, startAllInOne] = [startOnce(own.startSeparate), startOnce(own.startAllInOne)];
  return {
    createDatabase: memoize(async () => {
      const database = await own.createDatabase();
      opened.defer(() => database.drop());
      return { ...database, drop: keepRunning };
    }),
    // `writers` asks for two gateways; they serve the other benchmarks too.
    startSeparate: ({ databaseUrl, environment, gatewayProgram }) =>
      startSeparate({
        databaseUrl,
        ...(environment ? { environment } : { gateways: 2 }),
        ...(gatewayProgram && { gatewayProgram }),
      }),
    startAllInOne,
    startCollector: memoize(async () => {
      const collector = await own.startCollector();
      opened.defer(() => collector.stop());
      return { ...collector, stop: keepRunning };
    }),
    startLoad: memoize(() => {
      const load = own.startLoad();
      opened.defer(() => load.close());
      return { ...load, close: keepRunning };
    }),
    close: () => opened.disposeAsync(),
  };
}

/** Caches the result of `start` by its arguments. */
function memoize<Arguments extends unknown[], Result>(
  start: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const results = new Map<string, Result>();
  return (...given) => {
    const key = JSON.stringify(given);
    const result = results.get(key) ?? start(...given);
    results.set(key, result);
    return result;
  };
}
