/**
 * Batches concurrent calls: a call starts a batch at once if none runs, else it joins the next one. Batches grow with the load
 * up to `limit` items. A call resolves or rejects with its batch.
 */
export function batched<Item>(
  limit: number,
  work: (items: Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let isWorking = false;

  async function runBatches(): Promise<void> {
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
      if (!isWorking) void runBatches();
    });
}
