import type { Bar, Finding, Table } from '../benchmark.ts';
import type { LabeledQuestion } from '../search-set/shapes.ts';
import { query } from '../servers/query.ts';
import { evaluateRanking, meanQuality, type Quality } from './measures.ts';
import { type LoadedSet, type SearchMode, searchAll } from './search-service.ts';

const modes = ['fts', 'hybrid'] as const;

/** Rankings of the questions of a set in each mode. */
type Rankings = ReadonlyMap<SearchMode, string[][]>;

/** Searches for each question in each mode. */
export async function rankInModes(
  loaded: LoadedSet,
  questions: readonly LabeledQuestion[],
): Promise<Rankings> {
  const rankings = new Map<SearchMode, string[][]>();
  for (const mode of modes) rankings.set(mode, await searchAll(loaded, mode, questions));
  return rankings;
}

/** Takes all entries their places: from then on none has neighbors (spec 26 S15). */
export async function removePlaces(databaseUrl: string): Promise<void> {
  await query(databaseUrl, 'UPDATE memory_versions SET place = NULL');
}

/** A set that was searched with neighbors and without. */
export interface ComparedSet {
  name: string;
  questions: readonly LabeledQuestion[];
  with: Rankings;
  without: Rankings;
  measure: { name: string; of: (quality: Quality) => number };
  bar: Bar;
}

function qualityOf(questions: readonly LabeledQuestion[], rankings: readonly string[][]): Quality {
  return meanQuality(questions.map(({ answers }, index) => evaluateRanking(rankings[index] ?? [], answers)));
}

/** Compares the measure of a set with neighbors to that without, in each mode. */
export function neighborFindings(set: ComparedSet): Finding[] {
  const { name, questions, measure, bar } = set;
  return modes.map((mode) => {
    const value = measure.of(qualityOf(questions, set.with.get(mode) ?? []));
    const reference = measure.of(qualityOf(questions, set.without.get(mode) ?? []));
    return {
      name: `${measure.name}, ${name}, ${mode}: with neighbors / without`,
      value: value / reference,
      unit: '×',
      bar,
      note: `${value.toFixed(3)} and ${reference.toFixed(3)}, ${questions.length} questions`,
    };
  });
}

/** Recall of the first ten and mean reciprocal rank, a row for each language. */
export function neighborTable(set: ComparedSet): Table {
  const groups = ['all', ...new Set(set.questions.map(({ language }) => language))];
  const columns = modes.flatMap((mode) => [
    { name: mode, rankings: set.with.get(mode) ?? [] },
    { name: `${mode} without neighbors`, rankings: set.without.get(mode) ?? [] },
  ]);
  const rows = groups.map((group) => {
    const isChosen = (_: unknown, index: number) =>
      group === 'all' || set.questions[index]?.language === group;
    const chosen = set.questions.filter(isChosen);
    const cells = columns.map(({ rankings }) => {
      const { recall10, reciprocalRank } = qualityOf(chosen, rankings.filter(isChosen));
      return `${recall10.toFixed(3)} / ${reciprocalRank.toFixed(3)}`;
    });
    return [group, String(chosen.length), ...cells];
  });
  const head = [`recall@10 / MRR@10, ${set.name}`, 'questions', ...columns.map(({ name }) => name)];
  return { head, rows, right: head.slice(1) };
}

/** Mean reciprocal rank of the first ten. */
export function meanReciprocalRank(
  questions: readonly LabeledQuestion[],
  rankings: readonly string[][],
): number {
  return qualityOf(questions, rankings).reciprocalRank;
}
