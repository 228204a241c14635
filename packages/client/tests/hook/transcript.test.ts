import { appendFileSync, writeFileSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { lastAnsweredTurn } from '../../src/hook/hosts/transcript.ts';

const folder = await mkdtemp(join(tmpdir(), 'continuity-transcript-'));
let path: string;
let files = 0;

afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => {
  files += 1;
  path = join(folder, `${files}.jsonl`);
});

const asked = { id: 'u1', type: 'user.message', data: { content: 'Who owns the checkout page?' } };
const said = (content: string) => ({ id: 'a1', type: 'assistant.message', data: { content } });
const line = (record: object) => `${JSON.stringify(record)}\n`;

/** A clock that only pauses move. `during` runs in each pause, with its number from 1 on. */
function clock(during: (pauses: number) => void = () => undefined) {
  let time = 0;
  let pauses = 0;
  return {
    pause: (ms: number) => {
      time += ms;
      pauses += 1;
      during(pauses);
    },
    now: () => time,
  };
}

test('an answer that is there is read without a pause', async () => {
  await writeFile(path, line(asked) + line(said('The payments team.')));
  const waiting = clock(() => expect.fail('paused'));
  expect(lastAnsweredTurn(path, waiting)).toMatchObject({ turn: 'u1', answer: 'The payments team.' });
});

test('an answer that the host writes after it has started the hook is waited for, half a line of it too', async () => {
  await writeFile(path, line(asked));
  const written = line(said('The payments team.'));
  const waiting = clock((pauses) => {
    if (pauses === 2) appendFileSync(path, written.slice(0, 40));
    if (pauses === 4) appendFileSync(path, written.slice(40));
  });
  expect(lastAnsweredTurn(path, waiting)).toMatchObject({ turn: 'u1', answer: 'The payments team.' });
  expect(waiting.now()).toBe(100);
});

test('a transcript that the host creates after it has started the hook is waited for', () => {
  const waiting = clock((pauses) => {
    if (pauses === 3) writeFileSync(path, line(asked) + line(said('Later.')));
  });
  expect(lastAnsweredTurn(path, waiting)?.answer).toBe('Later.');
});

test('a turn without an answer ends the wait after 0.3 s, however much the transcript grows', async () => {
  await writeFile(path, line(asked));
  const quiet = clock();
  expect(lastAnsweredTurn(path, quiet)).toMatchObject({ turn: 'u1', answer: '' });
  expect(quiet.now()).toBe(300);
  const growing = clock(() => appendFileSync(path, line({ id: 't', type: 'tool.execution_complete' })));
  expect(lastAnsweredTurn(path, growing)).toMatchObject({ turn: 'u1', answer: '' });
  expect(growing.now()).toBe(300);
});

test('no transcript has no turn, and without a path nothing is waited for', async () => {
  const waiting = clock();
  expect(lastAnsweredTurn(undefined, waiting)).toBeUndefined();
  expect(waiting.now()).toBe(0);
  expect(lastAnsweredTurn(path, waiting)).toBeUndefined();
  await appendFile(path, 'no JSON\n');
  expect(lastAnsweredTurn(path, waiting)).toBeUndefined();
});
