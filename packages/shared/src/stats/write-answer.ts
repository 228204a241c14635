import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidRequest, type ScopeSelection, type ServiceError } from '@continuity/shared/kernel';
import type { SelectedScope } from '../scopes/index.ts';
import type { ByScope } from './by-scope.ts';
import { ByteWriter } from './byte-writer.ts';
import type { Period } from './period.ts';
import { quietRecall } from './recall.ts';
import { type Timeline, timelineWriter } from './timeline.ts';
import { quietUsage } from './usage.ts';

/** What an answer is made from. */
export interface StatsRead {
  selection: ScopeSelection;
  /** Ascending by id. */
  scopes: SelectedScope[];
  /** Those of them that are told one by one. */
  listed: SelectedScope[];
  asOf: Date;
  period: Period;
  inventory: ByScope<string>;
  usage: ByScope<Timeline>;
  recall: ByScope<Timeline>;
}

/** Most bytes of an answer, which has no second page. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Scopes that are written before others get a turn. */
const scopesPerTurn = 100;

/** What a Scope takes as a rule, and each day of it. */
const bytesOfScope = 2_000;
const bytesOfDay = 400;

/**
 * A `ScopedStats` as JSON: a thousand Scopes with a month of days each are ten megabytes, nearly all of them the days on
 * which nothing happened. Throws 422 for an answer of too many bytes.
 */
export async function writeAnswer(read: StatsRead): Promise<Buffer> {
  const { selection, scopes, listed, asOf, period, inventory, usage, recall } = read;
  const scopeIds = JSON.stringify(scopes.map(({ scopeId }) => scopeId));
  const expected = scopeIds.length + (listed.length + 1) * (bytesOfScope + period.dates.length * bytesOfDay);
  const out = new ByteWriter(expected);
  const writeSections = sectionWriter(period, out);
  out.text(
    `{"selection":${JSON.stringify(selection)},"scope_ids":${scopeIds},"as_of":${JSON.stringify(asOf)},`,
  );
  writeSections(inventory.whole, usage.whole, recall.whole);
  out.text(',"by_scope":[');
  for (const [place, { scopeId, scopeKey }] of listed.entries()) {
    out.text(`${place === 0 ? '' : ','}{"scope_id":${JSON.stringify(scopeId)},`);
    writeSections(inventory.of(scopeKey), usage.of(scopeKey), recall.of(scopeKey));
    out.text('}');
    if (out.length > maxAnswerBytes) throw tooLarge();
    if ((place + 1) % scopesPerTurn === 0) await nextTurn();
  }
  out.text(']}');
  return out.end();
}

/** Writes the three sections of one Scope, or of all, as members of a JSON object. */
function sectionWriter({ dates }: Period, out: ByteWriter) {
  const writeUsage = timelineWriter(dates.map(quietUsage));
  const writeRecall = timelineWriter(dates.map(quietRecall));
  return (inventory: string, usage: Timeline, recall: Timeline) => {
    out.text(`"inventory":${inventory},"usage":`);
    writeUsage(out, usage);
    out.text(',"recall":');
    writeRecall(out, recall);
  };
}

function tooLarge(): ServiceError {
  return invalidRequest([
    { path: 'selection', message: `selects more than an answer of ${maxAnswerBytes} bytes can tell` },
  ]);
}
