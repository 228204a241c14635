import { expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { capture } from '../support/sources.ts';
import { setUpConsole } from './support/console.ts';

const runs = 300;
const keysOfRun = 6;
const maxDelayMs = 60;

const on = setUpConsole();

/** A decision as the page sent it. */
interface Sent {
  candidate_id: string;
  expected_version: number;
}

/** Records the decisions that are sent, and what was on screen whenever a key confirmed something. */
const recorder = `
  globalThis.decisions = [];
  globalThis.confirmed = [];
  const send = globalThis.fetch;
  globalThis.fetch = (url, init) => {
    if (/artifact-candidates\\/(approve|reject)$/.test(String(url))) {
      const { candidate_id, expected_version } = JSON.parse(init.body);
      decisions.push({ candidate_id, expected_version });
    }
    return send(url, init);
  };
  addEventListener('keydown', ({ key }) => {
    const head = document.querySelector('.candidate-head');
    if (key !== 'Enter' || head === null) return;
    const [, version] = /version (\\d+)/.exec(head.querySelector('.facts').textContent);
    const [, lesson] = /Lesson (\\d+) /.exec(head.querySelector('h2').textContent);
    confirmed.push(lesson + '@' + version);
  }, { capture: true });
`;

/** Mulberry32: a run that fails can be repeated by its seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test('spec 60 scenario 9: 300 random runs of keys, delays and a second reviewer', async () => {
  const calls = reviewCalls(on.service);
  const random = randomOf(20_261_127);
  const scope = freshScope();
  await capture(on.service, scope, 'note');
  const source_refs = [{ name: 'content', source_id: 'note' }];
  const lessonOf = (index: number, version: number) => `Lesson ${index} in version ${version}`;
  const ids: string[] = [];
  for (let index = 0; index < runs; index += 1) {
    const { body } = await calls.propose(
      scope,
      { source_refs },
      { ...experience(), lesson: lessonOf(index, 1) },
    );
    ids.push(body.candidate_id);
  }
  const { tab, proxy } = on;
  const answers: { candidate_id: string; status: number }[] = [];
  await tab.page.addInitScript({ content: recorder });
  // A request that a busy machine cuts off has no response.
  let ended = 0;
  const isDecision = (url: string) => /artifact-candidates\/(approve|reject)$/.test(url);
  const countEnd = (request: { url(): string }) => {
    if (isDecision(request.url())) ended += 1;
  };
  tab.page.on('requestfinished', countEnd);
  tab.page.on('requestfailed', countEnd);
  tab.page.on('response', (response) => {
    if (!isDecision(response.url())) return;
    const { candidate_id } = response.request().postDataJSON() as { candidate_id: string };
    answers.push({ candidate_id, status: response.status() });
  });
  proxy.treat(() => ({ delayMs: Math.floor(random() * maxDelayMs) }));
  await tab.open(`review?within=scope&scope=${scope}`);
  const keys = [
    'a',
    'a',
    'a',
    'Enter',
    'Enter',
    'Enter',
    'j',
    'k',
    'Escape',
    'Alt+r',
    '1',
    '4',
    'r',
    'Control+Enter',
  ];
  const reviewer = async () => {
    const index = Math.floor(random() * runs);
    const { body } = await calls.get(scope, ids[index] ?? '');
    if (body.status !== 'pending') return;
    const { candidate_id, version } = body;
    if (random() < 0.7)
      await calls.revise(
        scope,
        candidate_id,
        version,
        { source_refs },
        { ...experience(), lesson: lessonOf(index, version + 1) },
      );
    else await calls.approve(scope, candidate_id, version);
  };
  for (let run = 0; run < runs; run += 1) {
    if (random() < 0.4) void reviewer().catch(() => undefined);
    for (let count = 0; count < keysOfRun; count += 1)
      await tab.page.keyboard.press(keys[Math.floor(random() * keys.length)] ?? 'j');
  }
  proxy.treat(() => 'forward');
  await tab.page.keyboard.press('Escape');
  await expect.poll(async () => (await tab.page.evaluate<number>('decisions.length')) - ended).toBe(0);
  const sent = (await tab.page.evaluate('decisions')) as Sent[];
  expect(sent.length).toBeGreaterThan(20);
  // No decision names a version that was not on screen.
  const confirmed = new Set((await tab.page.evaluate('confirmed')) as string[]);
  for (const { candidate_id, expected_version } of sent)
    expect(confirmed).toContain(`${ids.indexOf(candidate_id)}@${expected_version}`);
  // None is doubled, and none that was answered is lost.
  const taken = answers.filter(({ status }) => status === 200).map(({ candidate_id }) => candidate_id);
  expect(new Set(taken).size).toBe(taken.length);
  for (const candidate_id of taken)
    expect((await calls.get(scope, candidate_id)).body.status).not.toBe('pending');
});
