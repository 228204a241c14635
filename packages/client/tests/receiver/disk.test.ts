import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type FakeService, packageOf } from './fake-service.ts';
import { intercept, systemError } from './file-system-faults.ts';
import { leftovers, startEnrolled, treeOf, type Workspace } from './workspace.ts';

let service: FakeService;
let workspace: Workspace;

beforeEach(async () => {
  ({ service, workspace } = await startEnrolled());
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
});

const undelivered = ['delivery_failed', 'local_delivery_failed'];

/** Throws for the paths that match. */
const fail = (pattern: RegExp, code: string) => (path: string, to: string) => {
  if (pattern.test(path) || pattern.test(to)) throw systemError(code);
};

test.each([
  ['the disk is full while staging', 'open', /staging-.*SKILL/, 'ENOSPC', undelivered],
  ['the disk is full while the journal is written', 'open', /journals/, 'ENOSPC', undelivered],
  ['the root is read-only', 'rename', /skills\/check$/, 'EROFS', undelivered],
  ['the holding folder cannot be made', 'mkdir', /skill-receiver\/codex-/, 'EACCES', undelivered],
  [
    'the file system refuses a name',
    'open',
    /staging-.*verify/,
    'EINVAL',
    ['incompatible', 'incompatible_package'],
  ],
] as const)(
  '%s: the old package stays, and is updated once that is mended',
  async (_name, call, path, code, shown) => {
    const before = await treeOf(workspace.skills);
    service.publish('a', packageOf('check', 2));
    const { problems, hasFailed } = await intercept(call, fail(path, code), () => workspace.sync());
    expect(problems).toMatchObject([{ state: shown[0], message: expect.stringContaining(code) }]);
    expect(hasFailed).toBe(true);
    expect(service.shown('a')).toEqual(shown);
    expect(await treeOf(workspace.skills)).toEqual(before);
    expect(await leftovers(workspace.project)).toEqual([]);
    await workspace.sync();
    expect(service.shown('a')).toEqual(['current', null]);
    expect(await treeOf(workspace.skills)).not.toEqual(before);
  },
);

test('the disk is full when the checkpoint is written: the next sync writes it', async () => {
  service.publish('a', packageOf('check', 2));
  await intercept('open', fail(/checkpoints/, 'ENOSPC'), () => workspace.sync());
  expect(service.shown('a')).toEqual(undelivered);
  await workspace.sync();
  expect(service.shown('a')).toEqual(['current', null]);
  expect(await leftovers(workspace.project)).toEqual([]);
});

test('a failure of one Skill does not keep others from it', async () => {
  service.publish('a', packageOf('check', 2));
  service.publish('b', packageOf('other', 1));
  await intercept('open', fail(/checkpoints.*ca978112/, 'ENOSPC'), async () => {
    await workspace.sync();
    await workspace.sync();
  });
  expect(service.shown('a')).toEqual(undelivered);
  expect(service.shown('b')).toEqual(['current', null]);
});

test.each(['update', 'removal'])(
  'spec 40 scenario 52: an edit during an %s is reported and kept',
  async (kind) => {
    const file = join(workspace.skills, 'check/SKILL.md');
    if (kind === 'update') service.publish('a', packageOf('check', 2));
    else service.unpublish('a');
    const edit = async (path: string) => {
      if (path.endsWith('skills/check')) await writeFile(file, 'mine');
    };
    const { problems } = await intercept('rename', edit, () => workspace.sync());
    expect(problems).toMatchObject([{ state: 'drifted', folder: join(workspace.skills, 'check') }]);
    expect(problems[0]?.message).toContain(join(workspace.skills, 'check'));
    expect(service.shown('a')).toEqual(['drifted', 'drifted']);
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await leftovers(workspace.project)).toEqual([]);
  },
);

test('an edit right after an update is reported', async () => {
  service.publish('a', packageOf('check', 2));
  const file = join(workspace.skills, 'check/SKILL.md');
  const edit = async (path: string) => {
    if (path.includes('quarantine-')) await writeFile(file, 'mine');
  };
  await intercept('unlink', edit, () => workspace.sync());
  expect(service.shown('a')).toEqual(['drifted', 'drifted']);
  expect(await readFile(file, 'utf8')).toBe('mine');
});

test('a folder that takes the place during an update stays, and the old package is kept until it goes', async () => {
  service.publish('a', packageOf('check', 2));
  const place = join(workspace.skills, 'check');
  const take = async (path: string) => {
    if (path.includes('staging-')) await mkdir(place).then(() => writeFile(join(place, 'mine'), ''));
  };
  await intercept('rename', take, () => workspace.sync());
  expect(service.shown('a')).toEqual(['conflict', 'local_conflict']);
  await workspace.sync();
  expect(service.shown('a')).toEqual(['conflict', 'local_conflict']);
  expect(Object.keys(await treeOf(workspace.skills))).toEqual(['check/', 'check/mine']);
  const held = Object.keys(await treeOf(workspace.project)).filter((path) => path.endsWith('SKILL.md'));
  expect(held).toHaveLength(2);

  await rename(place, join(workspace.project, 'mine'));
  await workspace.sync();
  expect(service.shown('a')).toEqual(['current', null]);
  expect(await treeOf(workspace.skills)).toMatchObject({
    'check/scripts/verify.sh': expect.stringContaining('exit 2'),
  });
  expect(await leftovers(workspace.project)).toEqual([]);
});

test('a journal that a failed action left is recovered before the next round of the same sync', async () => {
  service.publish('a', packageOf('check', 2));
  service.publish('b', packageOf('other', 1));
  let isDecided = false;
  service.override = (path, { artifact }) => {
    const isOther = (artifact as { artifact_id?: string } | undefined)?.artifact_id === 'b';
    if (path.endsWith('/download') && isOther && !isDecided) {
      isDecided = true;
      service.publish('b', packageOf('other', 2));
    }
    return undefined;
  };
  // The swap fails, and then the return of the old package.
  let failures = 2;
  const failTwice = (_from: string, to: string) => {
    if (!to.endsWith('skills/check') || failures === 0) return;
    failures -= 1;
    throw systemError('EIO');
  };
  await intercept('rename', failTwice, () => workspace.sync());
  expect(failures).toBe(0);
  expect(service.shown('a')).toEqual(['current', null]);
  expect(service.shown('b')).toEqual(['current', null]);
  expect(await leftovers(workspace.project)).toEqual([]);
});

test('temporary files of a killed process are removed, but not those of another agent', async () => {
  const folder = join(workspace.project, '.service/skill-receiver');
  const own = ['codex.json.0.tmp', `${service.targetId}/last-sync.json.0.tmp`];
  const other = 'claude_code.json.0.tmp';
  for (const name of [...own, other]) await writeFile(join(folder, name), '{}');
  await workspace.sync();
  const temporary = Object.keys(await treeOf(folder)).filter((name) => name.endsWith('.tmp'));
  expect(temporary).toEqual([other]);
});

test('staging that no journal names is removed, and nothing else beside it', async () => {
  const holding = join(workspace.project, '.agents/.skill-receiver', service.targetId);
  await mkdir(join(holding, 'staging-0000000000000000'), { recursive: true });
  await mkdir(join(holding, 'notes'));
  await workspace.sync();
  expect(Object.keys(await treeOf(holding))).toEqual(['notes/']);
  await rm(holding, { recursive: true });
});
