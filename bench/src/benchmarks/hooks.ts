import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Finding } from '../benchmark.ts';
import { createFilledScopes, vacuumTables } from '../data/fill-scope.ts';
import { seededRandom } from '../data/random.ts';
import { makeQuery } from '../data/texts.ts';
import { runOnService } from '../servers/run-on-service.ts';

const program = fileURLToPath(
  new URL('../../../integrations/continuity/hooks/continuity-hook.mjs', import.meta.url),
);
const scopeId = 'project:bench';
const entries = 1_000;
/** An address that refuses connections. */
const refusingUrl = 'http://127.0.0.1:9';

/** What a host starts, and the time that it waits. */
interface Side {
  args: string[];
  payload: Record<string, unknown>;
  url: string;
}

export const hooks: Benchmark = {
  name: 'hooks',
  summary: 'time that an agent host waits for its hook, with the start of Node, beside an empty Node',
  run: (bench) =>
    runOnService(bench, {}, async ({ url, databaseUrl, load }) => {
      const { isQuick, log } = bench;
      const random = seededRandom(83);
      await createFilledScopes({ load, url, databaseUrl }, [scopeId], isQuick ? 10 : entries, random);
      await vacuumTables(databaseUrl);
      const home = await mkdtemp(join(tmpdir(), 'bench-hooks-'));
      const silent = createServer().listen(0, '127.0.0.1');
      await new Promise((listening) => silent.once('listening', listening));
      try {
        log('hooks: an empty Node, a prompt, the end of a turn and a refused one in turns');
        const at = (target: string, payload: Record<string, unknown>): Side => ({
          args: [program, '--host', 'claude-code'],
          payload: { session_id: 'bench', cwd: '/bench', prompt_id: randomUUID(), ...payload },
          url: target,
        });
        const prompt = () => ({ hook_event_name: 'UserPromptSubmit', prompt: makeQuery(random) });
        const answer = () => ({ hook_event_name: 'Stop', last_assistant_message: makeQuery(random) });
        const sides = {
          node: () => ({ args: ['-e', '0'], payload: {}, url }),
          prompt: () => at(url, prompt()),
          answer: () => at(url, answer()),
          refused: () => at(refusingUrl, prompt()),
        };
        const times = await inTurns(sides, home, isQuick ? 2 : 100);
        log('hooks: a service that does not answer');
        const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
        const hanging = await inTurns({ hanging: () => at(silentUrl, prompt()) }, home, isQuick ? 1 : 5);
        return { throughputs: [], findings: report({ ...times, ...hanging }) };
      } finally {
        silent.close();
        await rm(home, { recursive: true, force: true });
      }
    }),
};

/** Runs the sides in turns, so that other load on the machine affects them equally. The first round is the warm-up. */
async function inTurns<Name extends string>(
  sides: Record<Name, () => Side>,
  home: string,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const ms = await waitOfHost(sides[name](), join(home, name));
      if (round > 0) times[name].push(ms);
    }
  }
  return times;
}

/** Starts a program as a host does. Returns the milliseconds until it has ended. */
async function waitOfHost({ args, payload, url }: Side, state: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], XDG_STATE_HOME: state, CONTINUITY_URL: url, CONTINUITY_SCOPE: scopeId },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(payload));
  await new Promise((resolve) => child.once('close', resolve));
  return performance.now() - startedAt;
}

function report(times: Record<'node' | 'prompt' | 'answer' | 'refused' | 'hanging', number[]>): Finding[] {
  const [node, prompt, answer] = [p95(times.node), p95(times.prompt), p95(times.answer)];
  const atMost = (name: string, value: number, limit: number, note?: string): Finding => ({
    ...{ name, value, unit: 'ms', bar: { kind: 'at most', limit } },
    ...(note !== undefined && { note }),
  });
  const empty = `empty Node: ${node.toFixed(0)} ms`;
  return [
    atMost('hook: p95 of a prompt', prompt, 150, empty),
    atMost('hook: p95 of the end of a turn', answer, 110, empty),
    atMost('hook: p95 of a prompt above an empty Node', prompt - node, 60),
    atMost('hook: p95 of the end of a turn above an empty Node', answer - node, 35),
    atMost('hook: p95 where the service refuses', p95(times.refused), 110),
    atMost('hook: longest where the service does not answer', Math.max(...times.hanging), 1_800),
  ];
}

function p95(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}
