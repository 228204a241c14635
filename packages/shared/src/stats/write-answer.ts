import { invalidRequest, type ScopeSelection } from '@continuity/shared/kernel';
import type { SelectedScope } from '../scopes/index.ts';
import { Blocks } from './blocks.ts';
import type { ByScope } from './by-scope.ts';
import { type Text, TextStore } from './text-store.ts';

/** What an answer is made from. */
export interface StatsRead {
  selection: ScopeSelection;
  /** Ascending by id. */
  scopes: SelectedScope[];
  /** Those of them that are told one by one. */
  listed: SelectedScope[];
  asOf: Date;
  /** What is told of all Scopes and of each, in its order: one after the other they are members of a JSON object. */
  parts: ByScope[];
}

/** Most bytes of an answer, which has no second page. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * A `ScopedStats` as JSON: a thousand Scopes with a month of days each are ten megabytes, nearly all of them the days on
 * which nothing happened. Throws 422 for an answer of too many bytes.
 */
export function writeAnswer({ selection, scopes, listed, asOf, parts }: StatsRead): Blocks {
  const frame = new TextStore();
  const texts: Text[] = [];
  const write = (text: string) => {
    frame.text(text);
    texts.push(frame.end());
  };
  const scopeIds = JSON.stringify(scopes.map(({ scopeId }) => scopeId));
  write(`{"selection":${JSON.stringify(selection)},"scope_ids":${scopeIds},"as_of":${JSON.stringify(asOf)},`);
  for (const { whole } of parts) texts.push(whole);
  write(',"by_scope":[');
  for (const [place, { scopeId, scopeKey }] of listed.entries()) {
    write(`${place === 0 ? '' : '},'}{"scope_id":${JSON.stringify(scopeId)},`);
    for (const { of } of parts) texts.push(of(scopeKey));
  }
  write(listed.length === 0 ? ']}' : '}]}');
  const answer = new Blocks(texts);
  if (answer.length <= maxAnswerBytes) return answer;
  throw invalidRequest([
    { path: 'selection', message: `selects more than an answer of ${maxAnswerBytes} bytes can tell` },
  ]);
}
