import { chmod, cp, link, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type FakeService, packageOf } from './fake-service.ts';
import { leftovers, startEnrolled, treeOf, type Workspace } from './workspace.ts';

let service: FakeService;
let workspace: Workspace;

beforeEach(async () => {
  ({ service, workspace } = await startEnrolled());
});

const script = (revision: number) => `755 #!/bin/sh\nexit ${revision}\n`;
const fileOf = (name: string) => join(workspace.skills, name, 'scripts/verify.sh');

test('installs, updates and removes a Skill, and leaves nothing else', async () => {
  service.publish('a', packageOf('check', 1));
  expect((await workspace.sync()).installed).toEqual([
    { skill_name: 'check', artifact_id: 'a', revision: 1 },
  ]);
  expect(await treeOf(workspace.skills)).toEqual({
    'check/': 'folder',
    'check/SKILL.md': expect.stringMatching(/^644 ---\nname: check\n/),
    'check/scripts/': 'folder',
    'check/scripts/verify.sh': script(1),
  });
  expect(service.shown('a')).toEqual(['current', null]);
  expect((await workspace.sync()).installed).toEqual([]);

  service.publish('a', packageOf('check', 2));
  await workspace.sync();
  expect(await treeOf(workspace.skills)).toMatchObject({ 'check/scripts/verify.sh': script(2) });
  expect(service.shown('a')).toEqual(['current', null]);

  service.unpublish('a');
  expect((await workspace.sync()).removed).toEqual([{ skill_name: 'check', artifact_id: 'a' }]);
  expect(await treeOf(workspace.skills)).toEqual({});
  expect(service.shown('a')).toEqual(['unpublished', null]);
  expect(await leftovers(workspace.project)).toEqual([]);
});

test('spec 40 §5.2: a package that was stored before a rule for paths is installed, seen unchanged and removed', async () => {
  service.publish('a', packageOf('check', 1, ['docs/con', 'docs/a\u200bb', 'references/x/SKILL.md']));
  expect((await workspace.sync()).installed).toHaveLength(1);
  expect(await treeOf(workspace.skills)).toMatchObject({
    'check/docs/con': '644 x',
    'check/docs/a\u200bb': '644 x',
    'check/references/x/SKILL.md': '644 x',
  });
  expect((await workspace.sync()).installed).toEqual([]);
  expect(service.shown('a')).toEqual(['current', null]);
  service.unpublish('a');
  await workspace.sync();
  expect(await treeOf(workspace.skills)).toEqual({});
});

test('spec 70 scenario 38: a package with a .DS_Store that was stored before is received', async () => {
  service.publish('a', packageOf('check', 1, ['.DS_Store', 'scripts/._verify.sh']));
  expect((await workspace.sync()).installed).toHaveLength(1);
  expect(await treeOf(workspace.skills)).toMatchObject({
    'check/.DS_Store': '644 x',
    'check/scripts/._verify.sh': '644 x',
  });
  expect((await workspace.sync()).installed).toEqual([]);
  expect(service.shown('a')).toEqual(['current', null]);
});

test('an update may have another name: its folder moves', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  service.publish('a', packageOf('verify', 2));
  await workspace.sync();
  expect(Object.keys(await treeOf(workspace.skills)).filter((path) => /^[^/]+\/$/.test(path))).toEqual([
    'verify/',
  ]);
  expect(service.shown('a')).toEqual(['current', null]);
});

test('spec 40 scenario 36: a receipt that was lost is sent again, without a download', async () => {
  service.publish('a', packageOf('check', 1));
  service.override = (path) => (path.endsWith('/receipt') ? { status: 502, body: '' } : undefined);
  await expect(workspace.sync()).rejects.toThrow('HTTP 502');
  expect(service.shown('a')).toEqual(['pending', null]);
  service.override = () => undefined;
  service.requests = [];
  await workspace.sync();
  expect(service.paths()).toEqual(['reconcile', 'receipt']);
  expect(service.shown('a')).toEqual(['current', null]);
});

test('a decision that changes between reconcile and download is followed in the same sync', async () => {
  service.publish('a', packageOf('check', 1));
  let isFirst = true;
  service.override = (path) => {
    if (path.endsWith('/download') && isFirst) {
      isFirst = false;
      service.publish('a', packageOf('check', 2));
    }
    return undefined;
  };
  await workspace.sync();
  expect(service.shown('a')).toEqual(['current', null]);
  expect(await treeOf(workspace.skills)).toMatchObject({ 'check/scripts/verify.sh': script(2) });
});

test('spec 40 scenario 52: an edit between two syncs is reported and kept', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  await writeFile(fileOf('check'), 'mine');
  service.publish('a', packageOf('check', 2));
  const { problems } = await workspace.sync();
  expect(problems).toMatchObject([{ state: 'drifted', folder: join(workspace.skills, 'check') }]);
  expect(await readFile(fileOf('check'), 'utf8')).toBe('mine');
  expect(service.shown('a')).toEqual(['drifted', 'drifted']);
  service.unpublish('a');
  await workspace.sync();
  expect(await readFile(fileOf('check'), 'utf8')).toBe('mine');
});

test('a changed execute bit, an added file, a link and a hard link are drift', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  const file = fileOf('check');
  const changes: [() => Promise<void>, () => Promise<void>][] = [
    [() => chmod(file, 0o644), () => chmod(file, 0o755)],
    [() => writeFile(`${file}.bak`, ''), () => rm(`${file}.bak`)],
    [() => symlink('SKILL.md', `${file}.bak`), () => rm(`${file}.bak`)],
    [
      () => link(file, join(workspace.project, 'second-name')),
      () => rm(join(workspace.project, 'second-name')),
    ],
  ];
  for (const [change, undo] of changes) {
    await change();
    await workspace.sync();
    expect(service.shown('a')).toEqual(['drifted', 'drifted']);
    await undo();
    await workspace.sync();
    expect(service.shown('a')).toEqual(['current', null]);
  }
});

test('spec 40 scenario 52: what somebody else put there is never touched', async () => {
  const makers: ((path: string) => Promise<unknown>)[] = [
    (path) => mkdir(path),
    (path) => mkdir(path).then(() => writeFile(join(path, 'SKILL.md'), 'mine')),
    (path) => writeFile(path, 'mine'),
    (path) => symlink('/nowhere', path),
  ];
  await mkdir(workspace.skills, { recursive: true });
  for (const [index, make] of makers.entries()) {
    await make(join(workspace.skills, `check-${index}`));
    service.publish(`a${index}`, packageOf(`check-${index}`, 1));
  }
  const before = await treeOf(workspace.skills);
  const { problems } = await workspace.sync();
  expect(problems.map(({ state, folder }) => [state, folder])).toEqual(
    makers.map((_make, index) => ['conflict', join(workspace.skills, `check-${index}`)]),
  );
  expect(service.shown('a0')).toEqual(['conflict', 'local_conflict']);
  for (const index of makers.keys()) service.unpublish(`a${index}`);
  expect((await workspace.sync()).problems).toEqual([]);
  expect(service.shown('a1')).toEqual(['unpublished', null]);
  expect(await treeOf(workspace.skills)).toEqual(before);
});

const stateOf = ({ project }: Workspace) => join(project, '.service/skill-receiver', service.targetId);

test('spec 40 scenario 55: a package whose checkpoint was lost is adopted without a download, updated and removed', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  await rm(stateOf(workspace), { recursive: true });
  const before = await treeOf(workspace.skills);
  service.publish('a', packageOf('check', 1));
  service.requests = [];
  expect((await workspace.sync()).problems).toEqual([]);
  expect(service.paths()).toEqual(['reconcile', 'receipt']);
  expect(service.shown('a')).toEqual(['current', null]);
  expect(await treeOf(workspace.skills)).toEqual(before);
  service.publish('a', packageOf('check', 2));
  await workspace.sync();
  expect(await treeOf(workspace.skills)).toMatchObject({ 'check/scripts/verify.sh': script(2) });
  service.unpublish('a');
  await workspace.sync();
  expect(await treeOf(workspace.skills)).toEqual({});
});

test('spec 40 scenario 55: a conflict ends once the folder in the way holds exactly the package', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  await rm(stateOf(workspace), { recursive: true });
  const original = await readFile(fileOf('check'));
  await writeFile(fileOf('check'), 'mine');
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  expect(service.shown('a')).toEqual(['conflict', 'local_conflict']);
  expect(await readFile(fileOf('check'), 'utf8')).toBe('mine');
  await writeFile(fileOf('check'), original);
  await workspace.sync();
  expect(service.shown('a')).toEqual(['current', null]);
});

test.each([
  ['of the same name', packageOf('check', 2)],
  ['of another name', packageOf('verify', 2)],
])(
  'spec 40 scenario 55: an older copy of the state is put right, with a newer package %s',
  async (_name, newer) => {
    service.publish('a', packageOf('check', 1));
    await workspace.sync();
    const copy = join(workspace.project, 'copy');
    await cp(join(workspace.project, '.service'), copy, { recursive: true });
    service.publish('a', newer);
    await workspace.sync();
    const installed = await treeOf(workspace.skills);
    await rm(join(workspace.project, '.service'), { recursive: true });
    await rename(copy, join(workspace.project, '.service'));
    expect((await workspace.sync()).problems).toEqual([]);
    expect(service.shown('a')).toEqual(['current', null]);
    expect(await treeOf(workspace.skills)).toEqual(installed);
    expect((await workspace.sync()).problems).toEqual([]);
    service.unpublish('a');
    await workspace.sync();
    expect(await treeOf(workspace.skills)).toEqual({});
  },
);

test('a package that moves to a name whose folder holds it already leaves the old name', async () => {
  const renamed = packageOf('verify', 2);
  service.publish('b', renamed);
  await workspace.sync();
  await rename(join(workspace.skills, 'verify'), join(workspace.project, 'verify'));
  service.unpublish('b');
  await workspace.sync();
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  await rename(join(workspace.project, 'verify'), join(workspace.skills, 'verify'));
  service.publish('a', renamed);
  expect((await workspace.sync()).problems).toEqual([]);
  expect(service.shown('a')).toEqual(['current', null]);
  expect(Object.keys(await treeOf(workspace.skills))).toEqual([
    'verify/',
    'verify/SKILL.md',
    'verify/scripts/',
    'verify/scripts/verify.sh',
  ]);
  expect(await leftovers(workspace.project)).toEqual([]);
});

test('the removal of a package whose checkpoint was lost is for a person', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  await rm(stateOf(workspace), { recursive: true });
  const before = await treeOf(workspace.skills);
  service.unpublish('a');
  await workspace.sync();
  expect(service.shown('a')).toEqual(['conflict', 'local_conflict']);
  expect(await treeOf(workspace.skills)).toEqual(before);
});

test('a folder that was removed by hand is installed again', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  await rm(join(workspace.project, '.agents'), { recursive: true });
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  expect(await treeOf(workspace.skills)).toMatchObject({ 'check/scripts/verify.sh': script(1) });
});

test('a link in the place of the root fails every action, and nothing is written through it', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  const moved = join(workspace.project, 'elsewhere');
  await rename(join(workspace.project, '.agents'), moved);
  await symlink(moved, join(workspace.project, '.agents'));
  const before = await treeOf(moved);
  service.publish('b', packageOf('other', 1));
  await workspace.sync();
  expect(service.shown('a')).toEqual(['drifted', 'drifted']);
  expect(service.shown('b')).toEqual(['conflict', 'local_conflict']);
  expect(await treeOf(moved)).toEqual(before);
});

test('state that was not signed with the credential stops the sync', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  const folder = join(workspace.project, '.service/skill-receiver', service.targetId, 'checkpoints');
  const [name = ''] = Object.keys(await treeOf(folder));
  const text = await readFile(join(folder, name), 'utf8');
  await writeFile(join(folder, name), text.replace('"applied_generation":0', '"applied_generation":9'));
  await expect(workspace.sync()).rejects.toThrow('is damaged, or of another enrollment');
  expect(await treeOf(workspace.skills)).toMatchObject({ 'check/scripts/verify.sh': script(1) });
});

test('credential, folders and state are private', async () => {
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
  const state = join(workspace.project, '.service');
  const modes = await Promise.all(
    ['', 'skill-receiver', 'skill-receiver/codex.json', `skill-receiver/${service.targetId}/checkpoints`].map(
      async (path) => ((await stat(join(state, path))).mode & 0o777).toString(8),
    ),
  );
  expect(modes).toEqual(['700', '700', '600', '700']);
  expect(JSON.stringify(service.requests.filter(({ path }) => !path.endsWith('/enroll')))).toContain(
    service.credential,
  );
  expect(
    Object.entries(await treeOf(workspace.project)).filter(([, text]) => text.includes(service.credential)),
  ).toHaveLength(1);
});
