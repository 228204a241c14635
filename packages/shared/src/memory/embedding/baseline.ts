import { column, deploymentStatement, type Sql, tables } from '@continuity/kernel/database';
import { type Embedder, type EmbeddingInput, InferenceError } from '../../inference/index.ts';
import { baselineOf } from '../../search/index.ts';
import { baselinePairs } from './baseline-texts.ts';

const selectMissing = deploymentStatement(
  'select_missing_baseline',
  'SELECT baseline IS NULL AS is_missing FROM embedding_profiles WHERE profile_key = $1',
  { is_missing: column.boolean },
);

/** The first measurement stays, so that all gateways score alike. */
const storeBaseline = deploymentStatement(
  'store_embedding_baseline',
  'UPDATE embedding_profiles SET baseline = $2 WHERE profile_key = $1 AND baseline IS NULL RETURNING baseline',
  { baseline: tables.embedding_profiles.baseline },
);

interface BaselineCalls {
  sql: Sql;
  embedder: Embedder;
  /** Limit of texts per request. */
  batchSize: number;
  signal: AbortSignal;
}

/**
 * Measures the baseline of a profile that has none, and stores it (spec 26 S9). Returns it, or undefined if the profile has or needs
 * none, or another worker was faster. @throws {InferenceError} if a text gets no usable vector
 */
export async function measureBaseline(calls: BaselineCalls, profileKey: number): Promise<number | undefined> {
  const { sql, embedder } = calls;
  if (embedder.profile.scale !== undefined) return undefined;
  const profile = await sql.first(selectMissing, [profileKey]);
  if (profile?.is_missing !== true) return undefined;
  const queries = await embedAll(
    calls,
    baselinePairs.map(({ query }) => query),
    'query',
  );
  const passages = await embedAll(
    calls,
    baselinePairs.map(({ passage }) => passage),
    'passage',
  );
  const stored = await sql.first(storeBaseline, [profileKey, baselineOf(queries, passages)]);
  return stored?.baseline ?? undefined;
}

async function embedAll(
  { embedder, batchSize, signal }: BaselineCalls,
  texts: string[],
  input: EmbeddingInput,
): Promise<Float32Array[]> {
  const all: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += batchSize) {
    const { vectors } = await embedder.embed(texts.slice(from, from + batchSize), input, signal);
    for (const vector of vectors) {
      if (vector === null)
        throw new InferenceError('invalid_output', 'The model gave a text of the baseline no usable vector.');
      all.push(vector);
    }
  }
  return all;
}
