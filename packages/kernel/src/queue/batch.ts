import { AsyncResource } from 'node:async_hooks';

/**
 * Batches concurrent calls: a call starts a batch at once if none runs, else it joins the next one. Batches grow with the load
 * up to `limit` items. `work` returns a result for each item, in their order. A call resolves or rejects with its batch. `work` runs
 * in the asynchronous context of the call of `batched`, because a batch belongs to no single request.
 */
export function batched<Item, Result>(
  limit: number,
  work: (items: Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let isWorking = false;

  const runBatches = AsyncResource.bind(async () => {
    isWorking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limit);
      waiting = waiting.slice(limit);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWorking = false;
  });

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWorking) void runBatches();
    });
}

/** `batched` for each key on its own, so that the calls of one key never wait for a batch of another one. */
export function batchedByKey<Key, Item, Result>(
  limit: number,
  keyOf: (item: Item) => Key,
  work: (items: Item[], key: Key) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  const batches = new Map<Key, { add: (item: Item) => Promise<Result>; calls: number }>();
  const open = AsyncResource.bind((key: Key) => ({
    add: batched<Item, Result>(limit, (items) => work(items, key)),
    calls: 0,
  }));
  return async (item) => {
    const key = keyOf(item);
    const batch = batches.get(key) ?? open(key);
    batches.set(key, batch);
    batch.calls += 1;
    try {
      return await batch.add(item);
    } finally {
      batch.calls -= 1;
      if (batch.calls === 0) batches.delete(key);
    }
  };
}
