import { type Embedder, InferenceError, type ModelUsage, probeEmbedder } from '../../inference/index.ts';
import type { FailedEntry } from './failures.ts';
import type { PendingEntry } from './pending.ts';
import type { EmbeddedEntry } from './store-vectors.ts';

export interface EmbeddedBatch {
  embedded: EmbeddedEntry[];
  /** Only those that fail while the endpoint works. */
  failed: FailedEntry[];
}

export interface EmbedCalls {
  embedder: Embedder;
  signal: AbortSignal;
  /** Awaited after each answered request. */
  onUsage: (usage: ModelUsage) => Promise<void>;
}

/**
 * Embeds texts, by one request where all goes well. A request that fails for what is in it is split, down to the texts that it
 * fails for: these are set apart, once another text has shown that the endpoint works. @throws {InferenceError} where it does not
 */
export async function embedEntries(calls: EmbedCalls, entries: PendingEntry[]): Promise<EmbeddedBatch> {
  const batch = await split(calls, entries);
  if (batch.failed.length > 0 && batch.embedded.length === 0)
    await probeEmbedder(calls.embedder, calls.signal);
  return batch;
}

async function split(calls: EmbedCalls, entries: PendingEntry[]): Promise<EmbeddedBatch> {
  try {
    return await embedOnce(calls, entries);
  } catch (error) {
    if (!(error instanceof InferenceError && error.mayBeTheInput)) throw error;
    const reason = error.reason === 'refused' ? 'refused' : 'invalid_output';
    if (entries.length === 1) return { embedded: [], failed: entries.map((entry) => ({ ...entry, reason })) };
    // Before a batch is taken apart: where the endpoint takes nothing at all, it is not for what the texts say.
    if (entries.length > 2) await probeEmbedder(calls.embedder, calls.signal);
    const middle = Math.ceil(entries.length / 2);
    const first = await split(calls, entries.slice(0, middle));
    const second = await split(calls, entries.slice(middle));
    return {
      embedded: [...first.embedded, ...second.embedded],
      failed: [...first.failed, ...second.failed],
    };
  }
}

async function embedOnce(
  { embedder, signal, onUsage }: EmbedCalls,
  entries: PendingEntry[],
): Promise<EmbeddedBatch> {
  const { vectors, usage } = await embedder.embed(
    entries.map(({ text }) => text),
    signal,
  );
  await onUsage(usage);
  const embedded: EmbeddedEntry[] = [];
  const failed: FailedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const vector = vectors[index];
    if (vector == null) failed.push({ ...entry, reason: 'invalid_output' });
    else embedded.push({ ...entry, vector });
  }
  return { embedded, failed };
}
