import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type PlayedHost, playedHosts, runHook, type Turn } from './play-host.ts';

let service: TestService;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuity-both-'));
  service = await startService();
});

afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true });
});

/** Two hours ago: a session that is written to may go on. */
const at = (minute: number) => new Date(Date.now() - 7_200_000 + minute * 60_000).toISOString();

/** The session file that a host writes for these turns. */
const transcripts: Record<
  string,
  (session: string, cwd: string, turns: Turn[]) => { path: string; lines: unknown[] }
> = {
  'claude-code': (sessionId, cwd, turns) => ({
    path: join('.claude', 'projects', 'atlas', `${sessionId}.jsonl`),
    lines: turns.flatMap(({ id, prompt, answer }, n) => [
      {
        ...{ type: 'user', uuid: `u-${id}`, promptId: id, sessionId, cwd, timestamp: at(2 * n) },
        message: { role: 'user', content: prompt },
      },
      {
        ...{ type: 'assistant', uuid: `a-${id}`, sessionId, cwd, timestamp: at(2 * n + 1) },
        message: { id: `m-${id}`, role: 'assistant', content: [{ type: 'text', text: answer }] },
      },
    ]),
  }),
  codex: (id, cwd, turns) => ({
    path: join('.codex', 'sessions', '2026', '06', '01', `rollout-2026-06-01T10-00-00-${id}.jsonl`),
    lines: [
      { timestamp: at(0), type: 'session_meta', payload: { id, cwd, originator: 'codex_cli' } },
      ...turns.flatMap((turn, n) => [
        { timestamp: at(2 * n), type: 'turn_context', payload: { turn_id: turn.id, cwd } },
        {
          ...{ timestamp: at(2 * n), type: 'response_item' },
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: turn.prompt }] },
        },
        {
          ...{ timestamp: at(2 * n + 1), type: 'response_item' },
          payload: {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: turn.answer }],
          },
        },
      ]),
    ],
  }),
};

test.each(Object.keys(transcripts))(
  'spec 70 scenario 8: %s with the plugin, then imported, then on',
  async (name) => {
    const host = playedHosts[name] as PlayedHost;
    const session = '0d9c1c1e-4a0b-4a51-9f7e-1a2b3c4d5e6f';
    const cwd = join(home, `both-${name}`);
    await mkdir(cwd, { recursive: true });
    const env = { HOME: home, CONTINUITY_URL: service.url };
    const turns = [1, 2, 3, 4].map((n) => ({
      id: `9a0b1c2d-0000-4000-8000-00000000000${n}`,
      prompt: `Question ${n} of ${name}?`,
      answer: `Answer ${n} of ${name}.`,
    }));
    const say = async (turn: Turn) => {
      await runHook(host.prompt({ id: session, cwd }, turn), env);
      await runHook(await host.answer({ id: session, cwd }, turn), env);
    };
    const importNow = async (said: Turn[]) => {
      const { path, lines } = transcripts[name]?.(session, cwd, said) ?? { path: '', lines: [] };
      await mkdir(join(home, path, '..'), { recursive: true });
      await writeFile(join(home, path), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const old = new Date(Date.now() - 3_600_000);
      await utimes(join(home, path), old, old);
      const run = await runCli(['import', name, '--json'], { env });
      expect(run, run.stderr).toMatchObject({ code: 0 });
    };
    // The first turn is older than the plugin.
    for (const turn of turns.slice(1, 3)) await say(turn);
    await importNow(turns.slice(0, 3));
    for (const turn of turns.slice(3)) await say(turn);
    await importNow(turns);

    const scope_id = `project:both-${name}`;
    const { body } = await service.call('list_sources', { params: { scope_id }, query: { limit: '100' } });
    expect(body.items.map(({ excerpt }) => excerpt).toSorted()).toEqual(
      turns.flatMap(({ prompt, answer }) => [prompt, answer]).toSorted(),
    );
  },
);
