import { type Embedder, InferenceError, type OnUsage, probeEmbedder } from '../../inference/index.ts';
import type { FailedEntry } from './failures.ts';
import type { PendingEntry } from './pending.ts';
import type { EmbeddedEntry } from './store-vectors.ts';

interface EmbeddedBatch {
  embedded: EmbeddedEntry[];
  /** Entries that fail although the endpoint works. */
  failed: FailedEntry[];
}

interface EmbedCalls {
  embedder: Embedder;
  signal: AbortSignal;
  /** Called and awaited after each answered request. */
  onUsage: OnUsage;
}

/**
 * Embeds texts in one request. If the input may be the cause of a failure, splits the batch by halves to find the failing texts.
 * Reports texts as failed only if another text succeeds, the probe text included. @throws {InferenceError} otherwise
 */
export async function embedEntries(calls: EmbedCalls, entries: PendingEntry[]): Promise<EmbeddedBatch> {
  const batch = await embedOrSplit(calls, entries);
  if (batch.failed.length > 0 && batch.embedded.length === 0)
    await probeEmbedder(calls.embedder, calls.signal);
  return batch;
}

/** Embeds entries in one request, or in requests for each half if the input may be the cause of a failure. */
async function embedOrSplit(calls: EmbedCalls, entries: PendingEntry[]): Promise<EmbeddedBatch> {
  try {
    return await embedOnce(calls, entries);
  } catch (error) {
    if (!(error instanceof InferenceError && error.canBeInputFault)) throw error;
    const reason = error.reason === 'refused' ? 'refused' : 'invalid_output';
    if (entries.length === 1) return { embedded: [], failed: entries.map((entry) => ({ ...entry, reason })) };
    // If the probe text fails too, the endpoint is at fault and splitting is pointless.
    if (entries.length > 2) await probeEmbedder(calls.embedder, calls.signal);
    const middle = Math.ceil(entries.length / 2);
    const first = await embedOrSplit(calls, entries.slice(0, middle));
    const second = await embedOrSplit(calls, entries.slice(middle));
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
    'passage',
    signal,
  );
  if (usage !== null) await onUsage(usage);
  const embedded: EmbeddedEntry[] = [];
  const failed: FailedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const vector = vectors[index];
    if (vector == null) failed.push({ ...entry, reason: 'invalid_output' });
    else embedded.push({ ...entry, vector });
  }
  return { embedded, failed };
}
