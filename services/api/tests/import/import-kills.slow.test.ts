import { once } from 'node:events';
import { appendFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCli } from '../support/cli.ts';
import { type HttpFront, startHttpFront } from '../support/http-front.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';
import { hosts } from './home.ts';
import { type Machine, makeMachine } from './machine.ts';

let service: TestService;
let machine: Machine;
/** Stands before the service, and calls `onWrite` for each text and fact. */
let front: HttpFront;
let onWrite: () => 'broken' | undefined = () => undefined;

beforeAll(async () => {
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('killed'), MEMORY_AUTO_FLUSH: 'off' },
  });
  front = await startHttpFront(service.url, ({ path }) =>
    /^\/v1\/(?:sources|memory)\//.test(path) ? onWrite() : undefined,
  );
  machine = await makeMachine({ url: front.url, databaseUrl: service.databaseUrl }, 'killed');
});

afterAll(async () => {
  front.stop();
  await service.stop();
  await machine.remove();
});

/** Runs an import, and kills it at this write. Odd writes are stored, and their answers lost. Returns false if it ended before. */
async function runAndKill(killAt: number, ...more: string[]): Promise<boolean> {
  const child = startCli(['import', ...hosts, join(machine.home, 'facts.ndjson'), ...more], machine.env);
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  let writes = 0;
  onWrite = () => {
    writes += 1;
    if (writes < killAt) return undefined;
    child.kill('SIGKILL');
    return killAt % 2 === 0 ? 'broken' : undefined;
  };
  const [code, signal] = await once(child, 'close');
  onWrite = () => undefined;
  if (signal === null) expect(code).toBe(0);
  return signal !== null;
}

test('spec 70 scenario 7: killed 50 times, then run to the end, an import stores each text once', async () => {
  const session = join(machine.home, '.claude/projects/-home-ada-shop/kills.jsonl');
  const turns = 300;
  for (let turn = 0; turn < turns; turn += 1) {
    const common = { sessionId: 'kills', cwd: '/home/ada/shop', timestamp: '2026-10-05T08:00:00.000Z' };
    const records = [
      { type: 'user', uuid: `user-${turn}`, message: { role: 'user', content: `Question ${turn}?` } },
      {
        type: 'assistant',
        uuid: `assistant-${turn}`,
        message: { id: `m-${turn}`, content: [{ type: 'text', text: `Answer ${turn}.` }] },
      },
    ];
    await appendFile(
      session,
      records.map((record) => `${JSON.stringify({ ...record, ...common })}\n`).join(''),
    );
  }
  await utimes(session, new Date('2026-10-06'), new Date('2026-10-06'));
  const facts = 100;
  const lines = Array.from({ length: facts }, (_, id) =>
    JSON.stringify({ id, text: `Fact ${id}.`, kind: 'fact', scope_id: 'facts' }),
  );
  await machine.write('facts.ndjson', lines.join('\n'));

  let isComplete = false;
  for (let kills = 0; kills < 50; ) {
    const isKilled = await runAndKill(2 + 3 * kills, ...(isComplete ? ['--again'] : []));
    if (isKilled) kills += 1;
    isComplete = !isKilled;
  }
  await machine.import(...hosts, join(machine.home, 'facts.ndjson'));

  const sources = await machine.sources();
  const texts = sources
    .map(({ content }) => content)
    .filter((content) => /"(?:Question|Answer) \d/.test(content));
  expect(new Set(texts).size).toBe(2 * turns);
  expect(texts).toHaveLength(2 * turns);
  expect(sources.filter(({ source_type }) => source_type === 'import-ndjson')).toHaveLength(facts);
  const { rows } = await entriesOf();
  expect(rows).toBe(facts);
  expect(await machine.import(...hosts, join(machine.home, 'facts.ndjson'))).toMatchObject({ added: 0 });
  expect(await machine.import(...hosts, join(machine.home, 'facts.ndjson'), '--again')).toMatchObject({
    added: 0,
  });
});

/** The number of entries of the facts, and of those with evidence. */
async function entriesOf(): Promise<{ rows: number }> {
  const list = await clientOf(service.url, 'killed').call('list_memory_entries', {
    body: { scope_id: 'facts' },
  });
  const { entries } = list.body;
  expect(new Set(entries.map(({ text }) => text)).size).toBe(entries.length);
  for (const { source_refs } of entries) expect(source_refs).toHaveLength(1);
  return { rows: entries.length };
}
