import { waitUntil } from '@continuity/testing/servers';
import type { Bar, Bench, Benchmark, Finding, Outcome, Table } from '../benchmark.ts';
import { makeConversations } from '../conversation-set/index.ts';
import type { HttpLoad } from '../load/http-load.ts';
import type { Quality } from '../quality/measures.ts';
import {
  type ComparedSet,
  meanReciprocalRank,
  neighborFindings,
  neighborTable,
  rankInModes,
  removePlaces,
} from '../quality/neighbors.ts';
import {
  evaluateAll,
  missedQuestions,
  qualityFindings,
  qualityTables,
  type Ranker,
  recallAt10,
} from '../quality/report.ts';
import { type LoadedSet, loadEntries, type SearchMode, searchAll } from '../quality/search-service.ts';
import { openTsRank } from '../quality/ts-rank.ts';
import { makeSearchSet } from '../search-set/index.ts';
import { makePrompts } from '../search-set/prompts.ts';
import type { LabeledSet, Question, SearchSet } from '../search-set/shapes.ts';
import { makeWordFormsSet } from '../search-set/word-forms.ts';
import { startNarrowEmbeddings } from '../servers/narrow-embeddings.ts';
import { query } from '../servers/query.ts';
import { type Service, startEmbedder, startSeparate } from '../servers/service.ts';
import { createOwnDatabase } from '../servers/stores.ts';

/** Sample of each set in a quick run. The built-in embedder has low priority, so a busy machine gives it little time for vectors. */
const quick = { entries: 12, questions: 6, wordFormLanguages: 2 };
/** Words of other text around each question, and how much of the recall must remain. */
const promptSizes: readonly { words: number; bar: Bar }[] = [
  { words: 30, bar: { kind: 'at least', limit: 0.65 } },
  { words: 80, bar: { kind: 'at least', limit: 0.65 } },
  { words: 200, bar: { kind: 'at least', limit: 0.55 } },
];

/** Vectors must not hide what words find in a prompt. */
const leastHybridRatio = 0.95;

const embeddingTimeoutMs = 600_000;

/** Entries of the search set in the Scope of the conversations, which stand before them. */
const otherEntries = 1_000;

const recall10 = { name: 'recall@10', of: ({ recall10 }: Quality) => recall10 };
const reciprocalRank = { name: 'MRR@10', of: ({ reciprocalRank }: Quality) => reciprocalRank };

export const search: Benchmark = {
  name: 'search',
  summary: 'recall and mean reciprocal rank on labeled questions, compared with ts_rank',
  run: async (bench) => {
    const set = bench.isQuick ? sampleSet(makeSearchSet()) : makeSearchSet();
    const database = await createOwnDatabase(bench.stores);
    const load = bench.servers.startLoad();
    const embedder = await startEmbedder();
    const service = await startSeparate({
      databaseUrl: database.url,
      redisUrl: bench.stores.redisUrl,
      environment: embedder.settings,
    });
    try {
      bench.log(`search: remembering ${set.entries.length} entries`);
      const loaded = await loadEntries(load, service.urls[0] ?? '', 'search-set', set.entries);
      await waitForVectors(bench, database.url, loaded);
      const rankers = [
        ...(await rankByService(loaded, await readSearchModes(service), set.questions)),
        ...(await rankByPostgres(database.url, set)),
      ];
      const outcome = report(bench, set.questions, rankers);
      const recalls = await recallInPrompts(loaded, set, 'fts');
      const hybridRecalls = await recallInPrompts(loaded, set, 'hybrid');
      const forms = bench.isQuick ? sampleSet(firstLanguages(makeWordFormsSet())) : makeWordFormsSet();
      const loadedForms = await loadEntries(load, service.urls[0] ?? '', 'word-forms', forms.entries);
      const tables = [
        promptTable('recall@10, questions, fts', recalls),
        promptTable('recall@10, questions, hybrid', hybridRecalls),
        promptTable('recall@10, word forms, fts', await recallInPrompts(loadedForms, forms, 'fts')),
      ];
      const neighbors = await compareNeighbors(bench, database.url, loaded, set);
      const own = rankers.find(({ name }) => name === 'hybrid')?.rankings ?? [];
      const narrow = await measureNarrowModel(bench, load, embedder.url, set, own);
      return {
        ...outcome,
        findings: [
          ...outcome.findings,
          ...promptFindings(recalls, set.questions.length),
          ...comparedFindings(hybridRecalls, recalls, set.questions.length),
          ...neighbors.findings,
          narrow,
        ],
        tables: [...(outcome.tables ?? []), ...tables, ...neighbors.tables],
      };
    } finally {
      await load.close();
      await service.stop();
      await embedder.program.stop();
      await database.drop();
    }
  },
};

/** Every n-th question, the entries that answer these, and some entries that answer none. */
function sampleSet<Entry extends { id: string }, Asked extends { answers: readonly string[] }>({
  entries,
  questions,
}: {
  entries: readonly Entry[];
  questions: readonly Asked[];
}): { entries: Entry[]; questions: Asked[] } {
  const step = Math.ceil(questions.length / quick.questions);
  const sampled = questions.filter((_question, index) => index % step === 0);
  const answers = new Set(sampled.flatMap(({ answers }) => answers));
  const others = entries.filter(({ id }) => !answers.has(id)).slice(0, quick.entries - answers.size);
  return { entries: [...entries.filter(({ id }) => answers.has(id)), ...others], questions: sampled };
}

/** The part of a set in its first languages. */
function firstLanguages({ entries, questions }: LabeledSet): LabeledSet {
  const languages = [...new Set(entries.map(({ language }) => language))].slice(0, quick.wordFormLanguages);
  const isChosen = ({ language }: { language: string }) => languages.includes(language);
  return { entries: entries.filter(isChosen), questions: questions.filter(isChosen) };
}

/** The search modes that the service announces. */
async function readSearchModes({ urls: [url = ''] }: Service): Promise<SearchMode[]> {
  const answer = await fetch(`${url}/v1/capabilities`);
  const { search_modes: modes } = (await answer.json()) as { search_modes: string[] };
  return (['fts', 'vector', 'hybrid'] as const).filter((mode) => modes.includes(mode));
}

async function waitForVectors(
  { log }: Bench,
  databaseUrl: string,
  { scopeId, ids }: LoadedSet,
): Promise<void> {
  log(`search: waiting for the vectors of ${scopeId}`);
  const hasAllVectors = async () => {
    const [row] = await query<{ count: number }>(
      databaseUrl,
      'SELECT count(*)::int AS count FROM memory_embeddings JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1',
      [scopeId],
    );
    return row?.count === ids.size;
  };
  await waitUntil(hasAllVectors, { timeoutMs: embeddingTimeoutMs, what: 'every entry has a vector' });
}

async function rankByService(
  loaded: LoadedSet,
  modes: readonly SearchMode[],
  questions: readonly Question[],
): Promise<Ranker[]> {
  const rankers: Ranker[] = [];
  for (const mode of modes) rankers.push({ name: mode, rankings: await searchAll(loaded, mode, questions) });
  return rankers;
}

/**
 * Searches the set, and conversations in a Scope of their own, with neighbors and without (spec 26 S15). The entries of the set are
 * shuffled, so its neighbors are of no use.
 */
async function compareNeighbors(
  bench: Bench,
  databaseUrl: string,
  loaded: LoadedSet,
  set: SearchSet,
): Promise<{ findings: Finding[]; tables: Table[] }> {
  const conversations = bench.isQuick ? sampleSet(makeConversations()) : makeConversations();
  const entries = [...set.entries.slice(0, otherEntries), ...conversations.entries];
  bench.log(`search: remembering ${conversations.entries.length} turns of conversations`);
  const scope = await loadEntries(loaded.load, loaded.url, 'conversations', entries, 1);
  await waitForVectors(bench, databaseUrl, scope);
  const rank = async () => ({
    shuffled: await rankInModes(loaded, set.questions),
    turns: await rankInModes(scope, conversations.questions),
  });
  const withNeighbors = await rank();
  await removePlaces(databaseUrl);
  const without = await rank();
  const compared: ComparedSet[] = [
    {
      name: 'conversations',
      questions: conversations.questions,
      with: withNeighbors.turns,
      without: without.turns,
      measure: recall10,
      bar: { kind: 'at least', limit: 1.04 },
    },
    {
      name: 'shuffled',
      questions: set.questions,
      with: withNeighbors.shuffled,
      without: without.shuffled,
      measure: reciprocalRank,
      bar: { kind: 'at least', limit: 0.99 },
    },
  ];
  return { findings: compared.flatMap(neighborFindings), tables: compared.map(neighborTable) };
}

/** How far the rank is off with a model whose unrelated texts have a cosine of 0.7, whose baseline a worker measures (spec 26 S9). */
async function measureNarrowModel(
  bench: Bench,
  load: HttpLoad,
  embedderUrl: string,
  { entries, questions }: SearchSet,
  own: readonly string[][],
): Promise<Finding> {
  const database = await createOwnDatabase(bench.stores);
  const endpoint = await startNarrowEmbeddings(embedderUrl);
  const service = await startSeparate({
    databaseUrl: database.url,
    redisUrl: bench.stores.redisUrl,
    environment: endpoint.settings,
  });
  try {
    const loaded = await loadEntries(load, service.urls[0] ?? '', 'narrow', entries);
    await waitForVectors(bench, database.url, loaded);
    const value = meanReciprocalRank(questions, await searchAll(loaded, 'hybrid', questions));
    const ownValue = meanReciprocalRank(questions, own);
    return {
      name: 'MRR@10, hybrid: off with cosines of 0.7 + 0.3 × those of the model',
      value: Math.abs(value - ownValue),
      unit: '',
      bar: { kind: 'at most', limit: 0.01 },
      note: `${value.toFixed(3)} and ${ownValue.toFixed(3)}, ${questions.length} questions`,
    };
  } finally {
    await service.stop();
    await endpoint.close();
    await database.drop();
  }
}

/** Recall@10 of the questions of a set alone and inside prompts of each size, in all languages and in each. */
async function recallInPrompts(
  loaded: LoadedSet,
  set: LabeledSet,
  mode: SearchMode,
): Promise<Map<string, number[]>> {
  const languages = [...new Set(set.questions.map(({ language }) => language))];
  const recalls = new Map(['all', ...languages].map((name) => [name, [] as number[]]));
  for (const words of [0, ...promptSizes.map(({ words }) => words)]) {
    const questions = words === 0 ? set.questions : makePrompts(set, words);
    const rankings = await searchAll(loaded, mode, questions);
    for (const [name, ofLanguage] of recalls) {
      const chosen = questions.map(({ language }) => name === 'all' || language === name);
      const isChosen = (_: unknown, index: number) => chosen[index] === true;
      ofLanguage.push(recallAt10(questions.filter(isChosen), rankings.filter(isChosen)));
    }
  }
  return recalls;
}

/** Compares the questions inside prompts with the questions alone. */
function promptFindings(recalls: ReadonlyMap<string, readonly number[]>, count: number): Finding[] {
  const [alone = 0, ...inPrompts] = recalls.get('all') ?? [];
  return promptSizes.map(({ words, bar }, index) => {
    const within = inPrompts[index] ?? 0;
    return {
      name: `recall@10, fts: within ${words} words / alone`,
      value: within / alone,
      unit: '×',
      bar,
      note: `${within.toFixed(3)} and ${alone.toFixed(3)}, ${count} questions`,
    };
  });
}

/** Compares hybrid search with words inside prompts. */
function comparedFindings(
  hybrid: ReadonlyMap<string, readonly number[]>,
  fts: ReadonlyMap<string, readonly number[]>,
  count: number,
): Finding[] {
  return promptSizes.map(({ words }, index) => {
    const [value = 0, reference = 0] = [hybrid, fts].map((recalls) => recalls.get('all')?.[index + 1]);
    return {
      name: `recall@10 within ${words} words: hybrid / fts`,
      value: value / reference,
      unit: '×',
      bar: { kind: 'at least', limit: leastHybridRatio },
      note: `${value.toFixed(3)} and ${reference.toFixed(3)}, ${count} questions`,
    };
  });
}

function promptTable(title: string, recalls: ReadonlyMap<string, readonly number[]>): Table {
  const head = [title, 'alone', ...promptSizes.map(({ words }) => `in ${words} words`)];
  const rows = [...recalls].map(([name, values]) => [name, ...values.map((value) => value.toFixed(3))]);
  return { head, rows, right: head.slice(1) };
}

async function rankByPostgres(databaseUrl: string, { entries, questions }: SearchSet): Promise<Ranker[]> {
  const tsRank = await openTsRank(databaseUrl, entries);
  try {
    const rankAll = async (rank: (question: string) => Promise<string[]>) => {
      const rankings: string[][] = [];
      for (const { text } of questions) rankings.push(await rank(text));
      return rankings;
    };
    return [
      { name: 'ts_rank, any word', rankings: await rankAll(tsRank.any) },
      { name: 'ts_rank, all words', rankings: await rankAll(tsRank.all) },
    ];
  } finally {
    await tsRank.close();
  }
}

function report({ log }: Bench, questions: readonly Question[], rankers: readonly Ranker[]): Outcome {
  const evaluated = evaluateAll(questions, rankers);
  for (const { kind, text, answers } of missedQuestions(evaluated, 'fts')) {
    log(`search: missed by fts: ${answers.join(' ')}, ${kind}: ${text}`);
  }
  return { throughputs: [], findings: qualityFindings(evaluated), tables: qualityTables(evaluated, rankers) };
}
