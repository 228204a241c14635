import { invalidRequest, type ScopeSelection } from '@continuity/shared/kernel';
import type { SelectedScope } from '../scopes/index.ts';
import { Blocks } from './blocks.ts';
import type { ByScope } from './by-scope.ts';
import { type Text, TextStore } from './text-store.ts';

/** What is told of which Scopes, and when. */
export interface Told {
  selection: ScopeSelection;
  /** Ascending by id. */
  scopes: SelectedScope[];
  /** Those of them that are told one by one. */
  listed: SelectedScope[];
  asOf: Date;
}

/** What stands around the parts of the answer: before those of all Scopes, before those of each, and after the last. */
export interface Frame {
  opening: Text;
  before: { scopeKey: number; text: Text }[];
  closing: Text;
}

/** Needs nothing that is counted, so that it can be written while the database counts. */
export function writeFrame({ selection, scopes, listed, asOf }: Told): Frame {
  const out = new TextStore();
  const write = (text: string) => {
    out.text(text);
    return out.end();
  };
  const scopeIds = JSON.stringify(scopes.map(({ scopeId }) => scopeId));
  return {
    opening: write(
      `{"selection":${JSON.stringify(selection)},"scope_ids":${scopeIds},"as_of":${JSON.stringify(asOf)},`,
    ),
    before: listed.map(({ scopeId, scopeKey }, place) => ({
      scopeKey,
      text: write(`${place === 0 ? ',"by_scope":[' : '},'}{"scope_id":${JSON.stringify(scopeId)},`),
    })),
    closing: write(listed.length === 0 ? ',"by_scope":[]}' : '}]}'),
  };
}

/** Most bytes of an answer, which has no second page. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * A `ScopedStats` as JSON: a thousand Scopes with a month of days each are ten megabytes, nearly all of them the days on
 * which nothing happened. Throws 422 for an answer of too many bytes.
 *
 * @param parts what is told of all Scopes and of each, in its order: one after the other they are members of a JSON object
 */
export function writeAnswer({ opening, before, closing }: Frame, parts: readonly ByScope[]): Blocks {
  const texts = [opening, ...parts.map(({ whole }) => whole)];
  for (const { scopeKey, text } of before) {
    texts.push(text);
    for (const { of } of parts) texts.push(of(scopeKey));
  }
  texts.push(closing);
  const answer = new Blocks(texts);
  if (answer.length <= maxAnswerBytes) return answer;
  throw invalidRequest([
    { path: 'selection', message: `selects more than an answer of ${maxAnswerBytes} bytes can tell` },
  ]);
}
