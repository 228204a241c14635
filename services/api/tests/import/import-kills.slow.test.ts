import { spawn } from 'node:child_process';
import { appendFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliProgram } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';
import { hosts } from './home.ts';
import { type Machine, makeMachine } from './machine.ts';

let service: TestService;
let machine: Machine;

beforeAll(async () => {
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('killed'), MEMORY_AUTO_FLUSH: 'off' },
  });
  machine = await makeMachine(service, 'killed');
});

afterAll(async () => {
  await service.stop();
  await machine.remove();
});

/** Runs an import, and kills it after a while; true if it had ended before. */
async function runAndKill(afterMs: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [cliProgram, 'import', ...hosts, join(machine.home, 'facts.ndjson')],
    {
      env: { PATH: process.env['PATH'] ?? '', ...machine.env },
      stdio: 'ignore',
    },
  );
  const ended = new Promise<boolean>((resolve) => child.once('close', (code) => resolve(code === 0)));
  await Promise.race([ended, sleep(afterMs)]);
  child.kill('SIGKILL');
  return await ended;
}

test('spec 70 scenario 7: killed 50 times, then run to the end, an import stores each text once', async () => {
  const session = join(machine.home, '.claude/projects/-home-ada-shop/kills.jsonl');
  const turns = 1_500;
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
  const facts = 200;
  const lines = Array.from({ length: facts }, (_, id) =>
    JSON.stringify({ id, text: `Fact ${id}.`, kind: 'fact', scope_id: 'facts' }),
  );
  await machine.write('facts.ndjson', lines.join('\n'));

  let kills = 0;
  for (let attempt = 0; attempt < 50; attempt += 1) if (!(await runAndKill(300 + 12 * attempt))) kills += 1;
  expect(kills).toBeGreaterThan(20);
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
