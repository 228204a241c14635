import { type InferenceStub, startInferenceStub } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepare } from '../support/context.ts';
import { embeddingBy, untilEmbedded } from '../support/embedding.ts';
import { type Entry, freshScope, remember } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let stub: InferenceStub;
let service: TestService;

beforeAll(async () => {
  stub = await startInferenceStub();
  service = await startService({ workers: true, environment: embeddingBy(stub) });
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

const question = 'which caterer did we book for the summer party';
const answer = 'The caterer is Lindgren, and it costs 900.';
const fillers = ['Rent is due on Friday.', 'Nobody waters these plants.', 'The lift is out of order.'];

/** A, B and C, and far from them an entry with the text of B in another kind, so that both have the same scores. */
async function arrange(): Promise<{ scope_id: string; a: Entry; b: Entry; elsewhere: Entry }> {
  const scope_id = freshScope();
  const { entry: a } = await remember(
    service,
    scope_id,
    'Which caterer should we book for the summer party?',
  );
  const { entry: b } = await remember(service, scope_id, answer);
  await remember(service, scope_id, 'Good, let us do that.');
  for (const text of fillers) await remember(service, scope_id, text);
  const { entry: elsewhere } = await remember(service, scope_id, answer, 'decision');
  return { scope_id, a, b, elsewhere };
}

async function rankingOf(scope_id: string, mode: 'fts' | 'vector' | 'hybrid'): Promise<string[]> {
  const { body } = await service.call('search_memory', { body: { scope_id, query: question, mode } });
  expect(body.mode).toBe(mode);
  expect(body.hits[0]?.score).toBe(1);
  return body.hits.map(({ citation }) => citation.entry_id);
}

/** Makes an entry as old as if it had been remembered some minutes before. */
async function age(entry: Entry, minutes: number): Promise<string> {
  const { entry_id } = entry.citation;
  const time = Number.parseInt(entry_id.slice(0, 8) + entry_id.slice(9, 13), 16) - minutes * 60_000;
  const hex = time.toString(16).padStart(12, '0');
  const older = `${hex.slice(0, 8)}-${hex.slice(8)}${entry_id.slice(13)}`;
  for (const table of ['memory_versions', 'memory_states', 'memory_changes', 'memory_embeddings'])
    await query(service.databaseUrl, `UPDATE ${table} SET entry_id = $2 WHERE entry_id = $1`, [
      entry_id,
      older,
    ]);
  return older;
}

test('spec 26 scenario 46: an answer beside the words of the question is above an equal one elsewhere, unless they are eleven minutes apart', async () => {
  const { scope_id, a, b, elsewhere } = await arrange();
  await untilEmbedded(service, scope_id, 7);
  const ids = [b, elsewhere].map(({ citation }) => citation.entry_id);
  const answersIn = async (mode: 'fts' | 'vector' | 'hybrid') =>
    (await rankingOf(scope_id, mode)).filter((id) => ids.includes(id));
  const modes = ['fts', 'vector', 'hybrid'] as const;
  for (const mode of modes) expect(await answersIn(mode), mode).toEqual(ids);
  const contents = (await prepare(service, scope_id, question)).items.map(({ content }) => content);
  expect(contents[1]).toBe(answer);
  // Ten minutes apart they are neighbors.
  const aged = await age(a, 9);
  for (const mode of modes) expect(await answersIn(mode), mode).toEqual(ids);
  await age({ ...a, citation: { ...a.citation, entry_id: aged } }, 2);
  // Without its neighbor it comes behind the equal one, which is newer.
  for (const mode of modes) expect(await answersIn(mode), mode).toEqual(ids.toReversed());
});
