import type { SourceRef } from '@continuity/contract';
import { z } from 'zod';
import { InferenceError } from '../../../inference/index.ts';
import { normalizeText, utf8Length } from '../../../kernel/text.ts';
import { looksLikeCredential } from '../builtin/credentials.ts';
import { KNOWN_KINDS } from '../builtin/kinds.ts';
import type { KnownEntry, Proposal } from '../port.ts';

const MAX_PROPOSALS = 200;
const MAX_TEXT_BYTES = 8192;
const MAX_REASON_CHARACTERS = 512;

/**
 * What the model may say. Flat, every field required, and without bounds that some endpoints refuse in a schema: the
 * rest is checked below.
 */
export const answerSchema = z.strictObject({
  proposals: z.array(
    z.strictObject({
      op: z.enum(['add', 'revise']),
      entry: z.number().nullable(),
      kind: z.enum(KNOWN_KINDS),
      text: z.string(),
      sources: z.array(z.number()),
      reason: z.string().nullable(),
    }),
  ),
});

export type Answer = z.infer<typeof answerSchema>;
type AnswerItem = Answer['proposals'][number];

/** The Sources and entries that were shown, by the numbers they were shown under. */
export interface Shown {
  sources: ReadonlyMap<number, SourceRef>;
  known: ReadonlyMap<number, KnownEntry>;
}

/**
 * Turns an answer into proposals. One that cites what was not shown, revises an entry twice or breaks a limit is
 * invalid as a whole (spec 20 X6); a proposal that looks like a credential is left out alone.
 *
 * @throws {InferenceError} `invalid_output`
 */
export function readAnswer({ proposals }: Answer, shown: Shown): Proposal[] {
  require(proposals.length <= MAX_PROPOSALS, 'holds too many proposals');
  const revised = proposals.filter(({ op }) => op === 'revise').map(({ entry }) => entry);
  require(new Set(revised).size === revised.length, 'revises an entry twice');
  return proposals.map((item) => readItem(item, shown)).filter((proposal) => !holdsCredential(proposal));
}

function readItem(item: AnswerItem, shown: Shown): Proposal {
  const text = normalizeText(item.text);
  require(text !== '' && utf8Length(text) <= MAX_TEXT_BYTES, 'holds a text outside its limits');
  require(text.isWellFormed() && !text.includes('\0'), 'holds a text that cannot be stored');
  const stated = { kind: item.kind, text, evidence: evidenceOf(item, shown.sources) };
  if (item.op === 'add') {
    require(item.entry === null, 'adds under the number of an entry');
    return { op: 'add', ...stated };
  }
  const entry = shown.known.get(item.entry ?? Number.NaN);
  if (entry === undefined) throw invalid('revises an unknown entry');
  return { op: 'revise', entry_id: entry.entry_id, ...stated, reason: reasonOf(item.reason) };
}

function evidenceOf({ sources }: AnswerItem, known: ReadonlyMap<number, SourceRef>): SourceRef[] {
  require(sources.length > 0, 'holds a proposal without evidence');
  return [...new Set(sources)]
    .sort((a, b) => a - b)
    .map((number) => {
      const ref = known.get(number);
      if (ref === undefined) throw invalid('cites unknown evidence');
      return ref;
    });
}

/** Audit text only: what is too long is cut rather than made a failure. */
function reasonOf(reason: string | null): string | null {
  const text = normalizeText((reason ?? '').toWellFormed().replaceAll('\0', ''));
  return normalizeText([...text].slice(0, MAX_REASON_CHARACTERS).join('')) || null;
}

function holdsCredential(proposal: Proposal): boolean {
  const reason = proposal.op === 'revise' ? (proposal.reason ?? '') : '';
  return looksLikeCredential(proposal.text) || looksLikeCredential(reason);
}

function require(holds: boolean, fault: string): void {
  if (!holds) throw invalid(fault);
}

function invalid(fault: string): InferenceError {
  return new InferenceError('invalid_output', `The model's answer ${fault}.`);
}
