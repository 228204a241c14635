import type { Settings } from '@continuity/kernel/config';
import { traceHeaders } from '@continuity/kernel/telemetry';
import { z } from 'zod';
import { failureOf, InferenceError } from './errors.ts';
import { fetchAtMost } from './limited-fetch.ts';
import {
  headersOf,
  type ModelEndpoint,
  type OnUsage,
  observeRequest,
  toTokenCount,
} from './model-endpoint.ts';

/** Limit of an answer in bytes. */
const maxAnswerBytes = 1024 * 1024;

/** An endpoint that scores how well texts answer a query. */
export interface RerankEndpoint
  extends Pick<ModelEndpoint, 'apiKey' | 'timeoutMs' | 'sendsTrace' | 'onUsage' | 'onRequest'> {
  /** The whole address. */
  url: string;
  format: Settings['MEMORY_RERANK_FORMAT'];
  model: string | undefined;
}

const item = z.object({ index: z.unknown(), relevance_score: z.unknown(), score: z.unknown() }).partial();
const items = z.array(z.unknown());
const answerSchema = z.union([items, z.looseObject({ results: items }), z.looseObject({ data: items })]);
const figures = z.looseObject({
  usage: z.looseObject({ total_tokens: z.unknown() }).optional(),
  meta: z.looseObject({ tokens: z.looseObject({ input_tokens: z.unknown() }).optional() }).optional(),
});

/**
 * The scores of texts for a query by one request, in the order of the texts; null for a text without a usable one (spec 26 S11).
 *
 * @throws {InferenceError} also where no text has a score
 */
export async function scoreTexts(
  endpoint: RerankEndpoint,
  query: string,
  texts: readonly string[],
  onUsage: OnUsage,
): Promise<(number | null)[]> {
  return await observeRequest(endpoint, async () => {
    const answer = await ask(endpoint, query, texts);
    const usage = { requests: 1 as const, input_tokens: tokensOf(answer), output_tokens: null };
    endpoint.onUsage?.(usage);
    await onUsage(usage);
    return readScores(answer, texts.length);
  });
}

async function ask(endpoint: RerankEndpoint, query: string, texts: readonly string[]): Promise<unknown> {
  const { url, apiKey, sendsTrace, timeoutMs } = endpoint;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetchAtMost(maxAnswerBytes, url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...headersOf({ apiKey }),
        ...(sendsTrace ? traceHeaders() : {}),
      },
      body: JSON.stringify(bodyOf(endpoint, query, texts)),
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refusalOf(response.status);
    }
    return parse(await response.text());
  } catch (error) {
    if (error instanceof InferenceError) throw error;
    // The message of `fetch` contains the address.
    throw failureOf(signal.aborted ? 'timeout' : 'unreachable');
  }
}

function bodyOf({ format, model }: RerankEndpoint, query: string, texts: readonly string[]): object {
  if (format === 'tei') return { query, texts, raw_scores: false, truncate: true };
  return {
    ...(model !== undefined && { model }),
    query,
    documents: texts,
    top_n: texts.length,
    return_documents: false,
  };
}

function refusalOf(status: number): InferenceError {
  if (status >= 500) return failureOf('unreachable');
  return status === 408 ? failureOf('timeout') : failureOf('refused', status);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InferenceError('invalid_output', 'The answer of the reranker is not JSON.');
  }
}

function readScores(answer: unknown, count: number): (number | null)[] {
  const scores: (number | null)[] = Array.from({ length: count }, () => null);
  for (const entry of itemsOf(answer)) {
    const { index, relevance_score, score = relevance_score } = item.safeParse(entry).data ?? {};
    if (typeof index !== 'number' || scores[index] !== null) continue;
    if (typeof score === 'number' && Number.isFinite(score)) scores[index] = score;
  }
  if (scores.every((score) => score === null))
    throw new InferenceError('invalid_output', 'The answer of the reranker has no usable score.');
  return scores;
}

function itemsOf(answer: unknown): readonly unknown[] {
  const { data } = answerSchema.safeParse(answer);
  if (data === undefined || Array.isArray(data)) return data ?? [];
  return items.safeParse('results' in data ? data['results'] : data['data']).data ?? [];
}

function tokensOf(answer: unknown): number | null {
  const { data } = figures.safeParse(answer);
  return toTokenCount(data?.usage?.total_tokens) ?? toTokenCount(data?.meta?.tokens?.input_tokens);
}
