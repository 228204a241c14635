import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactRef } from '@continuity/contract';
import type { AgentKind } from '@continuity/contract/skill-format';
import { type RunningProcess, runProcess, temporaryDirectory, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliResult, runCli } from '../support/cli.ts';
import { enrollProject } from '../support/receivers.ts';
import { remoteCalls } from '../support/remote-skills.ts';
import { startService, type TestService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let service: TestService;
let worker: RunningProcess;
let remote: ReturnType<typeof remoteCalls>;
let skills: ReturnType<typeof skillCalls>;

const startWorker = () => startWorkerProcess(service, { WORKER_QUEUES: 'remote-reconcile' });

beforeAll(async () => {
  service = await startService();
  remote = remoteCalls(service);
  skills = skillCalls(service);
  worker = await startWorker();
});

afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await service.stop();
});

const roots: Record<AgentKind, string> = { codex: '.agents/skills', claude_code: '.claude/skills' };

/** A project whose Receiver runs as processes of the command line. */
async function openProject(scope: string, agent: AgentKind) {
  const project = await temporaryDirectory('project');
  const where = ['--agent', agent, '--project', project];
  const run = (command: string, args: string[] = [], input = ''): Promise<CliResult> =>
    runCli(['receiver', command, ...where, ...args], {
      env: { HOME: project, CONTINUITY_URL: service.url },
      input,
    });
  return {
    root: join(project, roots[agent]),
    run,
    /** Creates a target and enrolls the project. Returns the id of the target. */
    async enroll() {
      const { target, enrollment_code } = (await remote.create(scope, agent)).body;
      const { code, stdout, stderr } = await run('enroll', [], `${enrollment_code}\n`);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(target.target_id);
      return target.target_id;
    },
    start: () =>
      runProcess(['dist/continuity.mjs', 'receiver', 'run', ...where, '--interval', '1'], {
        HOME: project,
      }),
  };
}

/** Waits for the state of a publication. Returns its generation. */
async function becomes(scope: string, target: string, artifact: ArtifactRef, state: string): Promise<number> {
  const { generation } = await waitUntil(
    async () => {
      const publication = await remote.publication(scope, target, artifact);
      return publication.state === state ? publication : undefined;
    },
    { timeoutMs: 60_000 },
  );
  return generation;
}

test.concurrent.each(Object.keys(roots) as AgentKind[])(
  'spec 40 scenarios 53 and 54: the life of a Skill in a project of %s',
  async (agent) => {
    const scope = `life-of-${agent}`;
    const { root, run, enroll, start } = await openProject(scope, agent);
    const first = await skills.approved(scope, archiveOf(skillFile('release-check', 'Once.')));
    const second = await skills.approved(scope, archiveOf(skillFile('release-check', 'Twice.')), {
      target: first,
    });
    const target = await enroll();
    const installed = () => readFile(join(root, 'release-check/SKILL.md'), 'utf8');

    let receiver = start();
    await remote.publish(scope, target, first);
    await becomes(scope, target, first, 'update_available');
    expect(await installed()).toContain('Once.');

    receiver.kill('SIGKILL');
    await receiver.exited;
    await remote.publish(scope, target, second, 0);
    receiver = start();
    await becomes(scope, target, first, 'current');
    const whole = await installed();
    expect(whole).toContain('Twice.');

    await writeFile(join(root, 'release-check/SKILL.md'), 'mine');
    await becomes(scope, target, first, 'drifted');
    expect(await installed()).toBe('mine');
    await writeFile(join(root, 'release-check/SKILL.md'), whole);
    await becomes(scope, target, first, 'current');

    await remote.unpublish(scope, target, first, 1);
    await becomes(scope, target, first, 'unpublished');
    await expect(installed()).rejects.toThrow('ENOENT');
    await remote.publish(scope, target, second, 2);
    await becomes(scope, target, first, 'current');

    await remote.revoke(scope, target);
    expect(await receiver.exited).toMatchObject({ code: 3 });
    expect(receiver.output()).toContain('The target is revoked. Installed Skills stay.');
    expect(await installed()).toBe(whole);

    const next = await enroll();
    await remote.publish(scope, next, second);
    const other = await skills.approved(scope, archiveOf(skillFile('other-check')));
    const foreign = join(root, 'other-check');
    await mkdir(foreign);
    await writeFile(join(foreign, 'notes.txt'), 'mine');
    await remote.publish(scope, next, other);
    expect(await run('run', ['--once'])).toMatchObject({ code: 5, stdout: expect.stringContaining(foreign) });
    await becomes(scope, next, second, 'current');
    await becomes(scope, next, other, 'conflict');
    expect((await run('status')).stdout).toContain(`conflict: ${foreign}`);
    await remote.unpublish(scope, next, other, 0);
    await remote.unpublish(scope, next, second, 0);
    expect(await run('run', ['--once'])).toMatchObject({
      code: 0,
      stdout: 'Removed release-check.\n',
    });
    await becomes(scope, next, other, 'unpublished');
    await becomes(scope, next, second, 'unpublished');
    expect(await readFile(join(foreign, 'notes.txt'), 'utf8')).toBe('mine');

    expect((await run('unenroll')).code).toBe(0);
  },
);

test('two kills of the worker leave no publication stuck, whatever its Receivers were doing', async () => {
  const scope = 'killed-workers';
  const skill = await skills.approved(scope, archiveOf(skillFile('release-check')));
  const receivers = await Promise.all(Array.from({ length: 8 }, () => enrollProject(service, scope)));
  const killed = async (state: string) => {
    const syncs = receivers.map(async ({ target, sync }) => {
      await waitUntil(
        async () => {
          await sync();
          return (await remote.publication(scope, target, skill)).state === state;
        },
        { timeoutMs: 90_000 },
      );
    });
    await waitUntil(
      async () => (await remote.publication(scope, receivers[0]?.target ?? '', skill)).state === state,
    );
    worker.kill('SIGKILL');
    await worker.exited;
    worker = await startWorker();
    await Promise.all(syncs);
  };
  for (const { target } of receivers) await remote.publish(scope, target, skill);
  await killed('current');
  for (const { target } of receivers) await remote.unpublish(scope, target, skill, 0);
  await killed('unpublished');
});
