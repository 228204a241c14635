import type { SourceRef } from '@continuity/contract';
import { maxEntryTextBytes, maxReasonCharacters } from '@continuity/contract/memory';
import { exactTime } from '@continuity/contract/notation';
import { normalizeText, utf8Length } from '@continuity/kernel/text';
import { z } from 'zod';
import { InferenceError } from '../../../inference/index.ts';
import { hasValidity, type Validity, validityIssues } from '../../validity.ts';
import { hasCredentialOrMask } from '../builtin/credential-mask.ts';
import { knownKinds } from '../builtin/kinds.ts';
import type { KnownEntry, Proposal } from '../port.ts';

const maxProposals = 200;

/**
 * Schema of the model's answer. Flat, all fields required and without limits, because some endpoints reject others. `readAnswer`
 * checks the limits.
 */
export const answerSchema = z.strictObject({
  proposals: z.array(
    z.preprocess(
      withTimes,
      z.strictObject({
        op: z.enum(['add', 'revise']),
        entry: z.number().nullable(),
        kind: z.enum(knownKinds),
        text: z.string(),
        sources: z.array(z.number()),
        reason: z.string().nullable(),
        valid_from: z.string().nullable(),
        valid_until: z.string().nullable(),
      }),
    ),
  ),
});

/** A model that knows no time may leave the fields out, although the schema requires them. */
function withTimes(item: unknown): unknown {
  return typeof item === 'object' && item !== null ? { valid_from: null, valid_until: null, ...item } : item;
}

type Answer = z.infer<typeof answerSchema>;
type AnswerItem = Answer['proposals'][number];

/** The Sources and entries of the prompt, by their numbers in it. */
interface PromptItems {
  sources: ReadonlyMap<number, SourceRef>;
  known: ReadonlyMap<number, KnownEntry>;
}

/** A valid answer. */
export interface ReadAnswer {
  proposals: Proposal[];
  /** First evidence of each proposal that looks like a credential. */
  credentials: SourceRef[];
}

/**
 * Converts an answer into proposals. An answer is invalid if it cites an unknown number, revises an entry twice or breaks a limit
 * (spec 20 X6). Drops single proposals that look like credentials.
 *
 * @throws {InferenceError} `invalid_output`
 */
export function readAnswer({ proposals }: Answer, items: PromptItems): ReadAnswer {
  ensure(proposals.length <= maxProposals, 'holds too many proposals');
  const revised = proposals.filter(({ op }) => op === 'revise').map(({ entry }) => entry);
  ensure(new Set(revised).size === revised.length, 'revises an entry twice');
  const read = proposals.map((item) => readItem(item, items));
  return {
    proposals: read.filter((proposal) => !hasCredentialIn(proposal)),
    credentials: read.filter(hasCredentialIn).flatMap(({ evidence }) => evidence.slice(0, 1)),
  };
}

function readItem(item: AnswerItem, items: PromptItems): Proposal {
  const text = normalizeText(item.text);
  ensure(text !== '' && utf8Length(text) <= maxEntryTextBytes, 'holds a text outside its limits');
  ensure(text.isWellFormed() && !text.includes('\0'), 'holds a text that cannot be stored');
  const stated = { kind: item.kind, text, evidence: evidenceOf(item, items.sources) };
  if (item.op === 'add') {
    ensure(item.entry === null, 'adds under the number of an entry');
    return { op: 'add', ...stated, ...validityOf(item) };
  }
  const entry = items.known.get(item.entry ?? Number.NaN);
  if (entry === undefined) throw invalid('revises an unknown entry');
  return { op: 'revise', entry_id: entry.entry_id, ...stated, reason: reasonOf(item.reason) };
}

/** The validity of an add; no field for one without. That of a revise is ignored: extraction ends no entry (spec 26 F17). */
function validityOf({ valid_from, valid_until }: AnswerItem): Partial<Validity> {
  const validity = { holds_from: timeOf(valid_from), holds_until: timeOf(valid_until) };
  ensure(validityIssues(validity).length === 0, 'holds a statement that ends before it begins');
  return hasValidity(validity) ? validity : {};
}

function timeOf(time: string | null): Date | null {
  if (time === null) return null;
  const { success, data } = exactTime.safeParse(time);
  ensure(success && data !== undefined, 'holds a time that is not RFC 3339 with an offset');
  return new Date(data ?? Number.NaN);
}

function evidenceOf({ sources }: AnswerItem, known: ReadonlyMap<number, SourceRef>): SourceRef[] {
  ensure(sources.length > 0, 'holds a proposal without evidence');
  return [...new Set(sources)]
    .sort((a, b) => a - b)
    .map((number) => {
      const ref = known.get(number);
      if (ref === undefined) throw invalid('cites unknown evidence');
      return ref;
    });
}

/** Truncates a long reason instead of failing, because it is only an audit text. */
function reasonOf(reason: string | null): string | null {
  const text = normalizeText((reason ?? '').toWellFormed().replaceAll('\0', ''));
  return normalizeText([...text].slice(0, maxReasonCharacters).join('')) || null;
}

function hasCredentialIn(proposal: Proposal): boolean {
  const reason = proposal.op === 'revise' ? (proposal.reason ?? '') : '';
  return hasCredentialOrMask(proposal.text) || hasCredentialOrMask(reason);
}

function ensure(holds: boolean, fault: string): void {
  if (!holds) throw invalid(fault);
}

function invalid(fault: string): InferenceError {
  return new InferenceError('invalid_output', `The model's answer ${fault}.`);
}
