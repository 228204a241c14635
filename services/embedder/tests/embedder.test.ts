import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbedAnswer } from '@continuity/contract/embedder';
import { loadSettings } from '@continuity/kernel/config';
import { Resources } from '@continuity/kernel/process';
import { createLogger, startTelemetry } from '@continuity/kernel/telemetry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelFolder, startEmbedder } from '../src/index.ts';
import references from './reference/vectors.json' with { type: 'json' };

let url: string;
let close: () => Promise<void>;
const logged: string[] = [];

/** Starts the embedder in this process, with the model of a folder. */
async function start(environment: Record<string, string> = {}, folder = modelFolder) {
  const settings = loadSettings({ PORT: '0', LOG_LEVEL: 'trace', ...environment });
  const logger = createLogger(settings, 'embedder', { write: (line: string) => void logged.push(line) });
  const resources = new Resources(logger, { graceMs: 1_000 });
  const telemetry = await startTelemetry(settings, 'embedder', { logger, scraped: false });
  resources.onClose('telemetry', () => telemetry.shutdown());
  try {
    return { url: await startEmbedder({ settings, logger, telemetry, resources }, { folder }), resources };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

beforeAll(async () => {
  const { url: address, resources } = await start();
  url = address;
  close = () => resources.close();
});

afterAll(() => close());

async function post(body: unknown, type = 'application/json'): Promise<Response> {
  return await fetch(`${url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function embed(input: string[], input_type: string): Promise<number[][]> {
  const answer = await post({ input, input_type });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as EmbedAnswer;
  expect(data.map(({ index }) => index)).toEqual(input.map((_, index) => index));
  return data.map(({ embedding }) => embedding);
}

const lengthOf = (vector: readonly number[]) => Math.hypot(...vector);
const cosine = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) / (lengthOf(one) * lengthOf(other));

test.each(references)(
  'spec 26 S13: the vector of a $input_type is that of the full model: $text',
  async ({ text, input_type, vector }) => {
    const [found = []] = await embed([text], input_type);
    expect(found).toHaveLength(384);
    expect(lengthOf(found)).toBeCloseTo(1, 5);
    expect(cosine(found, Array.from(new Int8Array(Buffer.from(vector, 'base64'))))).toBeGreaterThan(0.96);
  },
);

test('texts are told apart by their meaning, in each language', async () => {
  const passages = await embed(
    [
      'We back up the database every night at two.',
      '数据库每天凌晨两点备份。',
      'Martin is allergic to peanuts.',
    ],
    'passage',
  );
  const queries = await embed(
    ['nightly copies of our data', '夜里什么时候做副本', "what food should we avoid for Martin's lunch"],
    'query',
  );
  for (const [index, query] of queries.entries()) {
    const cosines = passages.map((passage) => cosine(query, passage));
    expect(cosines.indexOf(Math.max(...cosines))).toBe(index);
    expect(cosines[index]).toBeGreaterThan(0.25);
  }
});

test('a text has the same vector alone and in a batch', async () => {
  const texts = ['one', 'two words', '三'];
  const together = await embed(texts, 'passage');
  for (const [index, text] of texts.entries())
    expect(await embed([text], 'passage')).toEqual([together[index]]);
});

describe('bad input', () => {
  test('64 texts, the longest ones, a lone surrogate, controls and emoji have vectors', async () => {
    const long = 'word '.repeat(1_600);
    expect(await embed([long, '据'.repeat(2_730), '😀'.repeat(2_048)], 'passage')).toHaveLength(3);
    const odd = await embed(['\ud800', '\u0000', ' ', '\ufdfa'.repeat(2_000), '\n\n'], 'query');
    for (const vector of odd) expect(lengthOf(vector)).toBeCloseTo(1, 5);
    expect(
      await embed(
        Array.from({ length: 64 }, () => 'a'),
        'query',
      ),
    ).toHaveLength(64);
  });

  test('a text beyond the window of the model has the vector of its start', async () => {
    const start = 'The backup runs at night. '.repeat(120);
    const [whole, longer] = await embed([start, `${start}Martin is allergic to peanuts.`], 'passage');
    expect(longer).toEqual(whole);
  });

  test.each([
    ['an empty text', { input: ['a', ''], input_type: 'query' }, 'input.1'],
    ['no text', { input: [], input_type: 'query' }, 'input'],
    ['65 texts', { input: Array.from({ length: 65 }, () => 'a'), input_type: 'query' }, 'input'],
    ['a text of more than 8 KB', { input: ['é'.repeat(4_097)], input_type: 'query' }, 'input.0'],
    ['100,000 emoji', { input: ['😀'.repeat(100_000)], input_type: 'query' }, 'input.0'],
    ['a number', { input: [1], input_type: 'query' }, 'input.0'],
    ['no type', { input: ['a'] }, 'input_type'],
    ['another type', { input: ['a'], input_type: 'document' }, 'input_type'],
    ['no object', [], ''],
  ])('%s is 422 at the field', async (_what, body, path) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message.startsWith(`${path}: `)).toBe(true);
  });

  test('no JSON is 400, another type 422, a long body 413, another path 404', async () => {
    expect((await post('{"input":')).status).toBe(400);
    expect((await post('{"input":["a"],"input_type":"query"}', 'text/plain')).status).toBe(422);
    expect((await post(`"${'x'.repeat(4_000_000)}"`)).status).toBe(413);
    expect((await fetch(`${url}/v1/models`)).status).toBe(404);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  test('spec 26 S13: no log line holds a text', async () => {
    await post({ input: ['a secret text', ''], input_type: 'query' });
    await post('{"a secret text');
    expect(logged.join('')).not.toContain('secret');
  });
});

describe('the embedder does not start', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'continuity-model-'));
    for (const name of ['encoder.onnx', 'embeddings-0.q4', 'embeddings-1.q4', 'pieces.bin'])
      symlinkSync(join(modelFolder, name), join(folder, name));
    copyFileSync(join(modelFolder, 'model.json'), join(folder, 'model.json'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('spec 26 S14: with a model file that is missing, cut or changed, and names it', async () => {
    await expect(start({}, folder)).rejects.toThrow(/centre\.f32 is missing\.$/);
    writeFileSync(join(folder, 'centre.f32'), new Uint8Array(1_000));
    await expect(start({}, folder)).rejects.toThrow(/centre\.f32 is damaged: its SHA-256 is not that of/);
    writeFileSync(join(folder, 'model.json'), '{}');
    await expect(start({}, folder)).rejects.toThrow(/model\.json is damaged\.$/);
    await expect(start({}, join(folder, 'none'))).rejects.toThrow(/model\.json is missing\.$/);
  });

  test('on a port that is taken, and says so', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as { port: number };
    await expect(start({ PORT: String(port) })).rejects.toThrow(/Another program uses port/);
    server.close();
  });
});
