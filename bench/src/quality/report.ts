import type { Finding, Table } from '../benchmark.ts';
import { languages, type Question, questionKinds } from '../search-set/shapes.ts';
import { judge, meanQuality, type Quality } from './measures.ts';

/** What one way of searching has found for each question. */
export interface Ranker {
  name: string;
  rankings: string[][];
}

type Judged = Question & { qualities: ReadonlyMap<string, Quality> };

/** Times the baseline's recall that lexical search has to reach. */
const leastTimesBaseline = 1.25;

/** Judges what each ranker has found for each question. */
export function judgeAll(questions: readonly Question[], rankers: readonly Ranker[]): Judged[] {
  return questions.map((question, index) => ({
    ...question,
    qualities: new Map(
      rankers.map(({ name, rankings }) => [name, judge(rankings[index] ?? [], question.answers)]),
    ),
  }));
}

/** Recall and rank of each ranker: over all questions, those held out, and each language, kind and origin. */
export function qualityTable(judged: readonly Judged[], rankers: readonly Ranker[]): Table {
  const groups: [string, (question: Judged) => boolean][] = [
    ['all questions', () => true],
    ['worked on', ({ isHeldOut }) => !isHeldOut],
    ['held out', ({ isHeldOut }) => isHeldOut],
    ['written by hand', ({ origin }) => origin === 'written'],
    ['generated', ({ origin }) => origin === 'generated'],
  ];
  for (const name of languages) groups.push([name, ({ language }) => language === name]);
  for (const name of questionKinds) groups.push([name, ({ kind }) => kind === name]);
  const rows = groups.map(([name, test]) => {
    const members = judged.filter(test);
    return [name, String(members.length), ...rankers.map((ranker) => cellOf(members, ranker))];
  });
  const head = ['recall@5 / recall@10 / MRR of', 'questions', ...rankers.map(({ name }) => name)];
  return { head, rows, right: head.slice(1) };
}

function cellOf(members: readonly Judged[], { name }: Ranker): string {
  const { recall5, recall10, reciprocalRank } = meanOf(members, name);
  return [recall5, recall10, reciprocalRank].map((value) => value.toFixed(2)).join(' / ');
}

function meanOf(members: readonly Judged[], ranker: string): Quality {
  return meanQuality(members.flatMap(({ qualities }) => qualities.get(ranker) ?? []));
}

/** Lexical search by the baseline; hybrid search by lexical search, where there is one. */
export function qualityFindings(judged: readonly Judged[]): Finding[] {
  const heldOut = judged.filter(({ isHeldOut }) => isHeldOut);
  return [
    ...compare(judged, 'fts', 'ts_rank, any word', { kind: 'at least', limit: leastTimesBaseline }),
    ...compare(
      heldOut,
      'fts',
      'ts_rank, any word',
      { kind: 'at least', limit: leastTimesBaseline },
      ', held out',
    ),
    ...compare(judged, 'hybrid', 'fts', { kind: 'more than', limit: 1 }),
    ...compare(heldOut, 'hybrid', 'fts', { kind: 'more than', limit: 1 }, ', held out'),
  ];
}

function compare(
  members: readonly Judged[],
  one: string,
  other: string,
  bar: Finding['bar'] & object,
  part = '',
): Finding[] {
  if (!members.some(({ qualities }) => qualities.has(one))) return [];
  const [left, right] = [meanOf(members, one).recall10, meanOf(members, other).recall10];
  return [
    {
      what: `recall@10 of ${one} by that of ${other}${part}`,
      value: left / right,
      unit: '×',
      bar,
      note: `${left.toFixed(3)} and ${right.toFixed(3)} of ${members.length} questions`,
    },
  ];
}

/** Questions that were worked on and that a ranker does not answer among its first ten; never one that is held out. */
export function missedBy(judged: readonly Judged[], ranker: string): Judged[] {
  return judged.filter(({ isHeldOut, qualities }) => !isHeldOut && qualities.get(ranker)?.recall10 === 0);
}
