import { waitUntil } from '@continuity/testing/servers';
import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import { type EmbeddingEndpoint, embeddingModel, startEmbeddingEndpoint } from '../embedding/endpoint.ts';
import { learnVectors } from '../embedding/latent.ts';
import { startHttpLoad } from '../load/http.ts';
import { askAll, type Loaded, loadEntries, type Mode } from '../quality/ask.ts';
import { judgeAll, missedBy, qualityFindings, qualityTable, type Ranker } from '../quality/report.ts';
import { openTsRank } from '../quality/ts-rank.ts';
import { makeSearchSet } from '../search-set/index.ts';
import type { Question, SearchSet } from '../search-set/shapes.ts';
import { type Service, startSeparate } from '../servers/service.ts';
import { createOwnDatabase } from '../servers/stores.ts';

const dimension = 256;
const quick = { entries: 120, questions: 40, dimension: 32 };
const embeddedMs = 300_000;

export const search: Benchmark = {
  name: 'search',
  summary: 'how many of the labelled questions are answered, beside ts_rank on the same texts',
  run: async (bench) => {
    const set = bench.isQuick ? cutSet(makeSearchSet()) : makeSearchSet();
    const database = await createOwnDatabase(bench.stores);
    const load = startHttpLoad();
    bench.say('search: learning vectors of the entries');
    const texts = set.entries.map(({ text }) => text);
    const vectorLength = bench.isQuick ? quick.dimension : dimension;
    const endpoint = await startEmbeddingEndpoint(learnVectors(texts, vectorLength));
    const service = await startSeparate({
      databaseUrl: database.url,
      redisUrl: bench.stores.redisUrl,
      environment: embeddingSettings(endpoint, vectorLength),
    });
    try {
      bench.say(`search: remembering ${set.entries.length} entries`);
      const loaded = await loadEntries(load, service.urls[0] ?? '', set.entries);
      const modes = await modesOf(service);
      if (modes.includes('vector')) await waitForVectors(bench, endpoint, texts);
      const rankers = await askEverything(loaded, modes, set.questions);
      rankers.push(...(await askBaseline(database.url, set)));
      return describe(bench, set.questions, rankers);
    } finally {
      await load.close();
      await service.stop();
      await endpoint.close();
      await database.drop();
    }
  },
};

/** The first questions, what answers them, and some entries that answer none. */
function cutSet({ entries, questions }: SearchSet): SearchSet {
  const asked = questions.filter(
    (_question, index) => index % Math.ceil(questions.length / quick.questions) === 0,
  );
  const answers = new Set(asked.flatMap(({ answers }) => answers));
  const others = entries.filter(({ id }) => !answers.has(id)).slice(0, quick.entries - answers.size);
  return { entries: [...entries.filter(({ id }) => answers.has(id)), ...others], questions: asked };
}

function embeddingSettings({ baseUrl }: EmbeddingEndpoint, vectorLength: number): Record<string, string> {
  return {
    INFERENCE_BASE_URL: baseUrl,
    INFERENCE_EMBEDDING_MODEL: embeddingModel,
    INFERENCE_EMBEDDING_PROFILE_ID: 'bench',
    INFERENCE_EMBEDDING_DIMENSION: String(vectorLength),
  };
}

/** The modes that the service says it has. */
async function modesOf({ urls: [url = ''] }: Service): Promise<Mode[]> {
  const answer = await fetch(`${url}/v1/capabilities`);
  const { search_modes: modes } = (await answer.json()) as { search_modes: string[] };
  return (['fts', 'vector', 'hybrid'] as const).filter((mode) => modes.includes(mode));
}

async function waitForVectors(bench: Bench, { embedded }: EmbeddingEndpoint, texts: string[]): Promise<void> {
  bench.say('search: waiting for the vectors');
  const areMade = async () => texts.every((text) => embedded.has(text));
  await waitUntil(areMade, { timeoutMs: embeddedMs, what: 'every entry has a vector' });
}

async function askEverything(
  loaded: Loaded,
  modes: readonly Mode[],
  questions: readonly Question[],
): Promise<Ranker[]> {
  const rankers: Ranker[] = [];
  for (const mode of modes) rankers.push({ name: mode, rankings: await askAll(loaded, mode, questions) });
  return rankers;
}

async function askBaseline(databaseUrl: string, { entries, questions }: SearchSet): Promise<Ranker[]> {
  const tsRank = await openTsRank(databaseUrl, entries);
  try {
    const ask = async (search: (question: string) => Promise<string[]>) => {
      const rankings: string[][] = [];
      for (const { text } of questions) rankings.push(await search(text));
      return rankings;
    };
    return [
      { name: 'ts_rank, any word', rankings: await ask(tsRank.any) },
      { name: 'ts_rank, all words', rankings: await ask(tsRank.all) },
    ];
  } finally {
    await tsRank.close();
  }
}

function describe({ say }: Bench, questions: readonly Question[], rankers: readonly Ranker[]): Outcome {
  const judged = judgeAll(questions, rankers);
  for (const { kind, text, answers } of missedBy(judged, 'fts')) {
    say(`search: missed by fts: ${answers.join(' ')}, ${kind}: ${text}`);
  }
  return { throughputs: [], findings: qualityFindings(judged), tables: [qualityTable(judged, rankers)] };
}
