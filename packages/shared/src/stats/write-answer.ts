import type { ScopeSelection } from '@continuity/contract';
import { maxListed } from '@continuity/contract/stats';
import { invalidRequest } from '@continuity/shared/kernel';
import type { SelectedScope } from '../scopes/index.ts';
import { Blocks } from './blocks.ts';
import type { ByScope } from './by-scope.ts';
import { type Text, TextStore } from './text-store.ts';

/** What stands around the parts of the answer: before the time and those of all Scopes, before those of each, and after the last. */
export interface Frame {
  opening: Text;
  before: { scopeKey: number; text: Text }[];
  closing: Text;
}

/**
 * Needs nothing that is counted, so that it can be written while the database counts.
 *
 * @param scopes ascending by id; the first of them are told one by one
 */
export function writeFrame(selection: ScopeSelection, scopes: readonly SelectedScope[]): Frame {
  const listed = scopes.slice(0, maxListed);
  const out = new TextStore();
  const write = (text: string) => {
    out.text(text);
    return out.end();
  };
  const scopeIds = JSON.stringify(scopes.map(({ scopeId }) => scopeId));
  return {
    opening: write(`{"selection":${JSON.stringify(selection)},"scope_ids":${scopeIds},`),
    before: listed.map(({ scopeId, scopeKey }, place) => ({
      scopeKey,
      text: write(`${place === 0 ? ',"by_scope":[' : '},'}{"scope_id":${JSON.stringify(scopeId)},`),
    })),
    closing: write(listed.length === 0 ? ',"by_scope":[]}' : '}]}'),
  };
}

/** What follows the opening: the time of the answer. */
export function asOfText(asOf: Date): Buffer {
  return Buffer.from(`"as_of":${JSON.stringify(asOf)},`);
}

/** Most bytes of an answer, which has no second page. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * A `ScopedStats` as JSON: a thousand Scopes with a month of days each are ten megabytes, nearly all of them the days on
 * which nothing happened. Throws 422 for an answer of too many bytes.
 *
 * @param parts what is told of all Scopes and of each, in its order: one after the other they are members of a JSON object
 */
export function writeAnswer(
  { opening, before, closing }: Frame,
  asOf: Date,
  parts: readonly ByScope[],
): Blocks {
  const out = new TextStore();
  out.bytes(asOfText(asOf));
  const texts = [opening, out.end(), ...parts.map(({ whole }) => whole)];
  for (const { scopeKey, text } of before) {
    texts.push(text);
    for (const { of } of parts) texts.push(of(scopeKey));
  }
  texts.push(closing);
  const answer = new Blocks(texts);
  requireFitting(answer.length);
  return answer;
}

/** Throws 422 for an answer of too many bytes. */
export function requireFitting(bytes: number): void {
  if (bytes <= maxAnswerBytes) return;
  throw invalidRequest([
    { path: 'selection', message: `selects more than an answer of ${maxAnswerBytes} bytes can tell` },
  ]);
}
