import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@continuity/testing';
import { beforeEach, expect, test } from 'vitest';
import { type EnrollOptions, enroll, unenroll } from '../../src/receiver/enroll.ts';
import { readStatus } from '../../src/receiver/status.ts';

import { type FakeService, packageOf } from './fake-service.ts';
import { agent, enrolled, enrollOptions, leftovers, startService, treeOf } from './workspace.ts';

const run = promisify(execFile);

let service: FakeService;

beforeEach(async () => {
  service = await startService();
});

const optionsOf = (project: string, changes: Partial<EnrollOptions> = {}) =>
  enrollOptions(service, project, changes);

test('spec 40 scenario 53: git status never shows the credential', async () => {
  const { project } = await enrolled(service);
  await run('git', ['init', '-q'], { cwd: project });
  const { stdout } = await run('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: project });
  expect(stdout).toBe('');
  await run('git', ['add', '--all'], { cwd: project });
  expect((await run('git', ['ls-files'], { cwd: project })).stdout).toBe('');
});

test('a code is sent to no plain HTTP beyond this machine, unless the user allows it', async () => {
  const project = await temporaryDirectory('receiver');
  for (const serverUrl of [
    'http://10.0.0.1:8000',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
  ]) {
    await expect(enroll(optionsOf(project, { serverUrl }))).rejects.toThrow('--insecure-http');
  }
  expect(await treeOf(project)).toEqual({});
});

test('an enrolled project is enrolled anew only if the credential is refused, or on request', async () => {
  const { project } = await enrolled(service);
  await expect(enroll(optionsOf(project))).rejects.toThrow('is enrolled as codex-000000000001');
  expect(service.paths()).toEqual(['enroll', 'reconcile']);
  service.credential = 'skt_revoked';
  expect((await enroll(optionsOf(project))).target_id).toBe('codex-000000000002');
  expect((await enroll(optionsOf(project, { replaces: true }))).target_id).toBe('codex-000000000003');
  const folders = Object.keys(await treeOf(join(project, '.service/skill-receiver')));
  expect(folders.filter((path) => path.startsWith('codex-'))).toEqual([]);
});

test('a refused code leaves the old enrollment', async () => {
  const { project } = await enrolled(service);
  const before = await treeOf(project);
  await expect(enroll(optionsOf(project, { replaces: true, code: 'ske_'.padEnd(47, 'B') }))).rejects.toThrow(
    'enrollment_invalid',
  );
  expect(await treeOf(project)).toEqual(before);
});

test('spec 40 scenario 53: after a new enrollment, what was installed stays owned', async () => {
  const { project, skills, sync } = await enrolled(service);
  const [first, second] = [packageOf('check', 1), packageOf('edited', 1)];
  service.publish('a', first);
  service.publish('b', second);
  await sync();
  await writeFile(join(skills, 'edited/SKILL.md'), 'mine');
  service.credential = 'skt_revoked';
  await expect(sync()).rejects.toMatchObject({ status: 401 });
  await enroll(optionsOf(project));
  service.publish('a', first);
  service.publish('b', second);
  service.requests = [];
  await sync();
  expect(service.paths()).toEqual(['reconcile', 'receipt', 'receipt']);
  expect(service.shown('a')).toEqual(['current', null]);
  expect(service.shown('b')).toEqual(['conflict', 'local_conflict']);
  expect(await readFile(join(skills, 'edited/SKILL.md'), 'utf8')).toBe('mine');
});

test('a code for another agent is refused with what to do', async () => {
  service.agent = 'claude_code';
  const project = await temporaryDirectory('receiver');
  await expect(enroll(optionsOf(project))).rejects.toThrow('This code was for claude_code');
  expect(Object.keys(await treeOf(project))).not.toContain('.service/skill-receiver/codex.json');
});

test('a configuration that others can read, that is damaged or of another project is not used', async () => {
  const { project, sync } = await enrolled(service);
  const path = join(project, '.service/skill-receiver/codex.json');
  await chmod(path, 0o644);
  await expect(sync()).rejects.toThrow('Other users can read');
  await chmod(path, 0o600);
  const moved = join(await temporaryDirectory('receiver'), 'moved');
  await rename(project, moved);
  await expect(enroll(optionsOf(moved))).rejects.toThrow(`belongs to ${project}`);
  await writeFile(join(moved, '.service/skill-receiver/codex.json'), '{');
  await expect(enroll(optionsOf(moved))).rejects.toThrow('is damaged');
  expect(service.paths()).toEqual(['enroll']);
});

test('a link in the place of the private folder is not followed', async () => {
  const [project, elsewhere] = await Promise.all([
    temporaryDirectory('receiver'),
    temporaryDirectory('elsewhere'),
  ]);
  await symlink(elsewhere, join(project, '.service'));
  await expect(enroll(optionsOf(project))).rejects.toThrow('is a link or a file');
  expect(await treeOf(elsewhere)).toEqual({});
  expect(service.requests).toEqual([]);
});

test('the status names installed, changed and missing Skills, and what a person has to decide', async () => {
  const { project, skills, sync } = await enrolled(service);
  for (const name of ['check', 'edited', 'foreign']) service.publish(name, packageOf(name, 1));
  await mkdir(join(skills, 'foreign'), { recursive: true });
  await sync();
  await writeFile(join(skills, 'edited/SKILL.md'), 'mine');
  await rename(join(skills, 'check'), join(project, 'away'));
  const status = await readStatus({ project, agent });
  expect(status).toMatchObject({
    target_id: 'codex-000000000001',
    running: null,
    last_sync: { fault: null },
  });
  expect(status.skills.map(({ skill_name, state }) => [skill_name, state]).toSorted()).toEqual([
    ['check', 'missing'],
    ['edited', 'changed'],
  ]);
  expect(status.last_sync?.problems).toMatchObject([{ state: 'conflict', folder: join(skills, 'foreign') }]);
  expect(JSON.stringify(status)).not.toContain(service.credential);
});

test('unenroll forgets the credential and keeps the Skills', async () => {
  const { project, skills, sync } = await enrolled(service);
  service.publish('a', packageOf('check', 1));
  await sync();
  const before = await treeOf(skills);
  expect(await unenroll({ project, agent })).toEqual({ targetId: 'codex-000000000001' });
  expect(await treeOf(skills)).toEqual(before);
  expect(Object.values(await treeOf(project)).join()).not.toContain('skt_');
  expect(await leftovers(project)).toEqual([]);
  await expect(sync()).rejects.toThrow('is not enrolled');
});
