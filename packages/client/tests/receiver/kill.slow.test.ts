import { spawn } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@continuity/testing';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeService, packageOf } from './fake-service.ts';
import { agent, enrolled, leftovers, treeOf, type Workspace } from './workspace.ts';

// Each kill is that of a whole process. The program is bundled, and several projects are worked on at once, so that it takes seconds.

const source = fileURLToPath(new URL('../../src/receiver/run.ts', import.meta.url));
const preload = fileURLToPath(new URL('./kill-preload.mjs', import.meta.url));
const lanes = 3;

let program: string;

beforeAll(async () => {
  const folder = await temporaryDirectory('receiver-bundle');
  const bundle = await rolldown({ input: source, platform: 'node' });
  await bundle.write({ file: join(folder, 'run.mjs'), format: 'esm' });
  program = join(folder, 'main.mjs');
  await writeFile(
    program,
    `import { syncOnce } from './run.mjs';
     await syncOnce({ project: process.argv[2], agent: '${agent}' }, new AbortController().signal);`,
  );
});

/** One project with its service, and a copy of both as they were before the action under test. */
interface Lane extends Workspace {
  service: FakeService;
  restore(): Promise<void>;
}

const services: FakeService[] = [];

afterAll(() => Promise.all(services.map((service) => service.stop())));

/** A project with an installed Skill and one of somebody else. */
async function prepare(act: (service: FakeService) => void): Promise<Lane> {
  const service = await new FakeService().start();
  services.push(service);
  const workspace = await enrolled(service);
  await mkdir(join(workspace.skills, 'foreign'), { recursive: true });
  await writeFile(join(workspace.skills, 'foreign/SKILL.md'), 'mine');
  service.publish('old', packageOf('old', 1));
  await workspace.sync();
  act(service);
  const rows = [...service.rows.values()].map((row) => ({ ...row }));
  const copy = join(await temporaryDirectory('receiver-copy'), 'copy');
  await cp(workspace.project, copy, { recursive: true, preserveTimestamps: true });
  return {
    ...workspace,
    service,
    async restore() {
      service.rows = new Map(rows.map((row) => [row.artifactId, { ...row }]));
      await rm(workspace.project, { recursive: true });
      await cp(copy, workspace.project, { recursive: true, preserveTimestamps: true });
    },
  };
}

/** Syncs in a process of its own, which is killed at a step; 0 for none. Returns its steps if it was not killed. */
async function syncAndKill({ project }: Lane, killAt: number): Promise<string[] | 'killed'> {
  const child = spawn(process.execPath, ['--import', preload, program, project], {
    env: { KILL_AT: String(killAt), NODE_COMPILE_CACHE: join(program, '../cache') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  if (signal === 'SIGKILL') return 'killed';
  expect(code).toBe(0);
  return JSON.parse(await output) as string[];
}

/** The tree of an installed Skill below the root, by path. */
function treeOfSkill(name: string, revision: number): Record<string, string> {
  return {
    [`${name}/`]: 'folder',
    [`${name}/scripts/`]: 'folder',
    ...Object.fromEntries(
      packageOf(name, revision).files.map(({ path, executable, bytes }) => [
        `${name}/${path}`,
        `${executable ? '755' : '644'} ${bytes.toString()}`,
      ]),
    ),
  };
}

const foreign = { 'foreign/': 'folder', 'foreign/SKILL.md': '644 mine' };

interface Scenario {
  /** The steps before which it is killed. */
  steps: RegExp;
  /** Whether to kill the recovery too. */
  killsTwice: boolean;
  act(service: FakeService): void;
  /** Every content that the root may have at any moment, besides the foreign folder. The last one is the goal. */
  states: Record<string, string>[];
  shown: [string, string][];
}

/** Steps of the action. Before them come those of the lock; making a folder that exists changes nothing. */
const ofAction = /^mkdir .*staging|^(?!mkdir).*(\.agents|checkpoints|journals)/;

const scenarios: Record<string, Scenario> = {
  'an install': {
    steps: ofAction,
    killsTwice: false,
    act: (service) => service.publish('new', packageOf('new', 1)),
    states: [treeOfSkill('old', 1), { ...treeOfSkill('old', 1), ...treeOfSkill('new', 1) }],
    shown: [
      ['old', 'current'],
      ['new', 'current'],
    ],
  },
  'an update': {
    steps: ofAction,
    killsTwice: true,
    act: (service) => service.publish('old', packageOf('old', 2)),
    states: [treeOfSkill('old', 1), {}, treeOfSkill('old', 2)],
    shown: [['old', 'current']],
  },
  'an update with another name': {
    steps: /^(rename|unlink|rmdir) /,
    killsTwice: false,
    act: (service) => service.publish('old', packageOf('renamed', 2)),
    states: [treeOfSkill('old', 1), {}, treeOfSkill('renamed', 2)],
    shown: [['old', 'current']],
  },
  'a removal': {
    steps: ofAction,
    killsTwice: true,
    act: (service) => service.unpublish('old'),
    states: [treeOfSkill('old', 1), {}],
    shown: [['old', 'unpublished']],
  },
};

/** Steps of the lock, which it takes over from a process that was killed. */
const lockSteps = 12;

let kills = 0;

test.each(Object.entries(scenarios))(
  'spec 40 scenario 51: killed at each step of %s, and of the recovery',
  async (_name, { steps: wanted, killsTwice, act, states, shown }) => {
    const projects = await Promise.all(Array.from({ length: lanes }, () => prepare(act)));
    const [first] = projects as [Lane];
    await first.restore();
    const steps = (await syncAndKill(first, 0)) as string[];
    const points = steps.flatMap((step, index) => (wanted.test(step) ? [index + 1] : []));
    expect(points.length).toBeGreaterThan(5);

    const check = async (lane: Lane, point: string) => {
      const tree = await treeOf(lane.skills);
      expect(
        states.map((state) => ({ ...state, ...foreign })),
        point,
      ).toContainEqual(tree);
    };
    const goal = { ...states.at(-1), ...foreign };
    const killAndRecover = async (lane: Lane, index: number, killAt: number) => {
      const point = `killed before step ${killAt}: ${steps[killAt - 1]}`;
      await lane.restore();
      expect(await syncAndKill(lane, killAt), point).toBe('killed');
      kills += 1;
      await check(lane, point);
      if (killsTwice) {
        // Each time at another step of the recovery.
        const again = lockSteps + 1 + ((index * 5) % 12);
        if ((await syncAndKill(lane, again)) === 'killed') kills += 1;
        await check(lane, `${point}, then before step ${again}`);
      }
      await lane.sync();
      expect(await treeOf(lane.skills), point).toEqual(goal);
      expect(
        shown.map(([id]) => lane.service.shown(id)),
        point,
      ).toEqual(shown.map(([, state]) => [state, null]));
      expect(await leftovers(lane.project), point).toEqual([]);
    };
    const work = points.entries();
    await Promise.all(
      projects.map(async (lane) => {
        for (const [index, killAt] of work) await killAndRecover(lane, index, killAt);
      }),
    );
  },
);

test('at least 100 processes were killed', () => {
  expect(kills).toBeGreaterThanOrEqual(100);
});
