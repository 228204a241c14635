import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@continuity/client';
import { cleanUpOnExit, inheritedEnvironment } from '@continuity/testing/servers';
import type { Benchmark, Finding } from '../benchmark.ts';
import { writeChats, writeSessions } from '../data/agent-sessions.ts';
import { runOnService } from '../servers/run-on-service.ts';

const program = fileURLToPath(new URL('../../../dist/continuity.mjs', import.meta.url));

/** 40,000 texts in about 1 GB. */
const whole = { projects: 25, sessionsPerProject: 16, turnsPerSession: 50, outputBytes: 50_000 };
const quick = { projects: 2, sessionsPerProject: 2, turnsPerSession: 5, outputBytes: 1_000 };
const statement = 'We decided that the code word of the launch is zanzibar.';

/** Bars of spec 70 §3. */
const maxSeconds = 300;
const maxFirstAnswerSeconds = 60;
const maxMib = 256;
const maxRepeatSeconds = 10;

export const importSessions: Benchmark = {
  name: 'import',
  summary: 'an import of 1 GB of agent sessions beside its service: time, first answer, memory, repeat',
  run: (bench) =>
    // Flushes by itself, as `npm start` does: they are a part of the load.
    runOnService(
      bench,
      { start: 'startAllInOne', environment: { MEMORY_AUTO_FLUSH: 'on' } },
      async ({ url }) => {
        const { isQuick, log } = bench;
        const home = await mkdtemp(join(tmpdir(), 'continuity-bench-home-'));
        cleanUpOnExit({ directory: home });
        try {
          log('import: writing sessions');
          const corpus = isQuick ? quick : whole;
          const folder = await writeSessions(home, corpus, statement);
          const texts = 2 * corpus.projects * corpus.sessionsPerProject * corpus.turnsPerSession;
          log(`import: ${texts} texts`);
          const startedAt = performance.now();
          const [first, answeredMs] = await Promise.all([
            runImport(['claude-code'], { home, folder, url }),
            untilFound(url, startedAt),
          ]);
          log('import: again');
          const repeat = await runImport(['claude-code'], { home, folder, url });
          log('import: an export of ChatGPT');
          const chats = join(home, 'conversations.json');
          await writeChats(chats, isQuick ? 3 : 1_000, isQuick ? 1_000 : 1_000_000);
          const exported = await runImport([chats], { home, folder, url });
          return {
            throughputs: [],
            findings: [
              finding(
                'import of agent sessions: time',
                first.seconds,
                's',
                maxSeconds,
                `${first.added} of ${texts} texts added`,
              ),
              finding(
                'import of agent sessions: first answer',
                answeredMs / 1_000,
                's',
                maxFirstAnswerSeconds,
              ),
              finding('import of agent sessions: memory', first.mib, 'MiB', maxMib),
              finding(
                'import of agent sessions: repeat',
                repeat.seconds,
                's',
                maxRepeatSeconds,
                `${repeat.added} texts added`,
              ),
              finding(
                'import of a ChatGPT export: memory',
                exported.mib,
                'MiB',
                maxMib,
                `${exported.added} texts added`,
              ),
            ],
          };
        } finally {
          await rm(home, { recursive: true, force: true });
        }
      },
    ),
};

function finding(name: string, value: number, unit: string, limit: number, note?: string): Finding {
  return { name, value, unit, bar: { kind: 'at most', limit }, ...(note !== undefined && { note }) };
}

interface Imported {
  seconds: number;
  /** Peak of the resident memory. */
  mib: number;
  added: number;
}

async function runImport(
  args: string[],
  { home, folder, url }: { home: string; folder: string; url: string },
): Promise<Imported> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, 'import', '--json', ...args], {
    cwd: folder,
    env: { ...inheritedEnvironment(), HOME: home, CONTINUITY_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'close');
  let mib = 0;
  while (child.exitCode === null && child.signalCode === null) {
    mib = Math.max(mib, await peakMib(child.pid ?? 0));
    await sleep(50);
  }
  await ended;
  if (child.exitCode !== 0) throw new Error(`The import ended with ${child.exitCode}.`);
  const { added } = JSON.parse(output) as { added: number };
  return { seconds: (performance.now() - startedAt) / 1_000, mib, added };
}

/** Peak of the resident memory of a process in MiB; 0 for one that has ended. */
async function peakMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** Milliseconds from `startedAt` until a search finds the statement of the newest session. */
async function untilFound(url: string, startedAt: number): Promise<number> {
  const client = createClient({ baseUrl: url });
  for (;;) {
    const { hits } = await client.searchMemory({
      scope_id: 'project:project-0',
      query: 'code word of the launch',
    });
    if (hits.some(({ text }) => text.includes('zanzibar'))) return performance.now() - startedAt;
    await sleep(250);
  }
}
