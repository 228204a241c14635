import type { Bar, Finding, Table } from '../benchmark.ts';
import { languages, type Question, questionKinds } from '../search-set/shapes.ts';
import { evaluateRanking, meanQuality, type Quality } from './measures.ts';

/** The rankings of one search method, in the order of the questions. */
export interface Ranker {
  name: string;
  rankings: string[][];
}

/** A question with the quality of each ranker's answer, by name of the ranker. */
type EvaluatedQuestion = Question & { qualities: ReadonlyMap<string, Quality> };

const baseline = 'ts_rank, any word';

const measures: readonly { name: string; of: (quality: Quality) => number }[] = [
  { name: 'recall@5', of: ({ recall5 }) => recall5 },
  { name: 'recall@10', of: ({ recall10 }) => recall10 },
  { name: 'MRR@10', of: ({ reciprocalRank }) => reciprocalRank },
];

/** Lexical search must have at least this many times the baseline's recall@10. */
const lexicalBar: Bar = { kind: 'at least', limit: 1.25 };

/** Hybrid search must be above lexical search in every measure. */
const hybridBar: Bar = { kind: 'more than', limit: 1 };

export function evaluateAll(questions: readonly Question[], rankers: readonly Ranker[]): EvaluatedQuestion[] {
  return questions.map((question, index) => ({
    ...question,
    qualities: new Map(
      rankers.map(({ name, rankings }) => [name, evaluateRanking(rankings[index] ?? [], question.answers)]),
    ),
  }));
}

/** One table per measure: a column for each ranker, a row for each group of questions. */
export function qualityTables(questions: readonly EvaluatedQuestion[], rankers: readonly Ranker[]): Table[] {
  const groups = groupsOf(questions).filter(({ members }) => members.length > 0);
  return measures.map((measure) => {
    const head = [measure.name, 'questions', ...rankers.map(({ name }) => name)];
    const rows = groups.map(({ name, members }) => [
      name,
      String(members.length),
      ...rankers.map((ranker) => measure.of(meanOf(members, ranker.name)).toFixed(3)),
    ]);
    return { head, rows, right: head.slice(1) };
  });
}

interface Group {
  name: string;
  members: EvaluatedQuestion[];
}

function groupsOf(questions: readonly EvaluatedQuestion[]): Group[] {
  const group = (name: string, test: (question: Question) => boolean): Group => ({
    name,
    members: questions.filter(test),
  });
  return [
    group('all questions', () => true),
    group('development', ({ isHeldOut }) => !isHeldOut),
    group('held out', ({ isHeldOut }) => isHeldOut),
    group('written by hand', ({ origin }) => origin === 'written'),
    group('generated', ({ origin }) => origin === 'generated'),
    ...languages.map((name) => group(name, ({ language }) => language === name)),
    ...questionKinds.map((name) => group(name, ({ kind }) => kind === name)),
  ];
}

function meanOf(members: readonly EvaluatedQuestion[], ranker: string): Quality {
  return meanQuality(members.flatMap(({ qualities }) => qualities.get(ranker) ?? []));
}

/** Mean recall of the first ten over questions and their rankings. */
export function recallAt10(
  questions: readonly Pick<Question, 'answers'>[],
  rankings: readonly string[][],
): number {
  return meanQuality(questions.map(({ answers }, index) => evaluateRanking(rankings[index] ?? [], answers)))
    .recall10;
}

/** Compares lexical search with the baseline, and hybrid search with lexical search. */
export function qualityFindings(questions: readonly EvaluatedQuestion[]): Finding[] {
  const heldOut = questions.filter(({ isHeldOut }) => isHeldOut);
  const parts = [
    { members: questions, suffix: '' },
    { members: heldOut, suffix: ', held out' },
  ];
  return parts.flatMap(({ members, suffix }) =>
    measures.flatMap((measure) => [
      ...(measure.name === 'recall@10' ? compare(members, measure, 'fts', baseline, lexicalBar, suffix) : []),
      ...compare(members, measure, 'hybrid', 'fts', hybridBar, suffix),
    ]),
  );
}

/** Empty if the service has no such search mode. */
function compare(
  members: readonly EvaluatedQuestion[],
  measure: (typeof measures)[number],
  ranker: string,
  reference: string,
  bar: Bar,
  suffix: string,
): Finding[] {
  if (!members.some(({ qualities }) => qualities.has(ranker))) return [];
  const value = measure.of(meanOf(members, ranker));
  const referenceValue = measure.of(meanOf(members, reference));
  return [
    {
      name: `${measure.name}${suffix}: ${ranker} / ${reference}`,
      value: value / referenceValue,
      unit: '×',
      bar,
      note: `${value.toFixed(3)} and ${referenceValue.toFixed(3)}, ${members.length} questions`,
    },
  ];
}

/** Development questions without a relevant entry among the ranker's first ten. Held-out questions are never listed. */
export function missedQuestions(
  questions: readonly EvaluatedQuestion[],
  ranker: string,
): EvaluatedQuestion[] {
  return questions.filter(({ isHeldOut, qualities }) => !isHeldOut && qualities.get(ranker)?.recall10 === 0);
}
