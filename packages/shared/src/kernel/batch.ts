/**
 * Joins many small calls into few large ones: while one batch is under way, what else is asked for waits and goes together
 * in the next, so that the batches grow with the load and a lone call is not delayed. A batch that fails, fails all its
 * calls.
 */
export function batched<Item>(
  limit: number,
  work: (items: Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let isWorking = false;

  async function workOff(): Promise<void> {
    isWorking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limit);
      waiting = waiting.slice(limit);
      try {
        await work(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWorking = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWorking) void workOff();
    });
}
