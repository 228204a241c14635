import { type Ask, createAsk, type ModelEndpoint, retryRequest } from '../../../inference/index.ts';
import { mergeProposals } from '../merge-proposals.ts';
import type { Extraction, ExtractionInput, Extractor, KnownEntry, Proposal, SourceLeftOut } from '../port.ts';
import { answerSchema, type ReadAnswer, readAnswer } from './answer.ts';
import { fitEntries, type NumberedText, splitParts } from './parts.ts';
import { instructionsFor, promptOf } from './prompt.ts';

/** Limit of known entries in a prompt (spec 20 X6). */
export const maxKnownEntries = 64;

export interface ModelExtractorOptions extends Omit<ModelEndpoint, 'timeoutMs'> {
  /** Time limit of one request, in milliseconds. Default 30 s. */
  timeoutMs?: number;
  /** Limit of requests for one part of a window, retries included. Default 2. */
  maxRequests?: number;
  /** Limit of characters of Sources and known entries per request; a longer window is split. Default 60,000. */
  maxInputCharacters?: number;
}

const defaults = { timeoutMs: 30_000, maxRequests: 2, maxInputCharacters: 60_000 };

/** Creates an extractor over an OpenAI-compatible endpoint (spec 20 X6, X7). It adds and revises entries of the five known kinds. */
export function createModelExtractor(options: ModelExtractorOptions): Extractor {
  const { timeoutMs, maxRequests, maxInputCharacters } = { ...defaults, ...options };
  const ask = createAsk({ ...options, timeoutMs });
  return {
    id: `model:${options.model}`,
    needsKnownEntries: true,
    extract: (input) => extractWindow(ask, input, maxRequests, maxInputCharacters),
  };
}

async function extractWindow(
  ask: Ask,
  input: ExtractionInput,
  maxRequests: number,
  maxCharacters: number,
): Promise<Extraction> {
  const entries = fitEntries(input.known.slice(0, maxKnownEntries), Math.floor(maxCharacters / 2));
  const entryCharacters = entries.reduce((size, { text }) => size + text.length, 0);
  const proposals: Proposal[] = [];
  const leftOut = new Map<number, number>();
  for (const part of splitParts(input.sources, maxCharacters - entryCharacters)) {
    // A window revises an entry at most once, so later parts omit revised entries.
    const revised = new Set(proposals.map((proposal) => proposal.op === 'revise' && proposal.entry_id));
    const open = numbered(entries).filter(([, { entry_id }]) => !revised.has(entry_id));
    const read = await extractPart(ask, input, part, new Map(open), maxRequests);
    proposals.push(...read.proposals);
    for (const { name, source_id } of read.credentials) {
      const source = input.sources.find(({ ref }) => ref.name === name && ref.source_id === source_id);
      if (source !== undefined) leftOut.set(source.position, (leftOut.get(source.position) ?? 0) + 1);
    }
  }
  const counts = [...leftOut].map(
    ([position, count]): SourceLeftOut => ({ position, reason: 'credential', count }),
  );
  return { proposals: inPositionOrder(mergeProposals(proposals), input), leftOut: counts };
}

async function extractPart(
  ask: Ask,
  input: ExtractionInput,
  part: readonly NumberedText[],
  known: ReadonlyMap<number, KnownEntry>,
  maxRequests: number,
): Promise<ReadAnswer> {
  const numbers = new Set(part.map(({ number }) => number));
  const sources = new Map(
    numbered(input.sources.map(({ ref }) => ref)).filter(([number]) => numbers.has(number)),
  );
  const question = {
    name: 'memory_proposals',
    instructions: instructionsFor(input.profile),
    prompt: promptOf(part, known),
    schema: answerSchema,
    signal: input.signal,
    onUsage: input.onUsage,
  };
  return await retryRequest(maxRequests, ['unreachable', 'invalid_output'], async () =>
    readAnswer(await ask(question), { sources, known }),
  );
}

function numbered<T>(values: readonly T[]): [number, T][] {
  return values.map((value, index) => [index + 1, value]);
}

/** Sorts the evidence of each proposal by position. */
function inPositionOrder(proposals: Proposal[], { sources }: ExtractionInput): Proposal[] {
  const order = new Map(sources.map(({ ref }, index) => [ref, index]));
  return proposals.map((proposal) => ({
    ...proposal,
    evidence: proposal.evidence.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
  }));
}
