import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { zip } from '@continuity/testing/zip';
import { describe, expect, test } from 'vitest';
import { type AgentKind, ExportError, exportSkill, readTree } from '../src/export/index.ts';
import { InvalidPackageError, openArchive, openUpload, type SkillPackage } from '../src/index.ts';

const script = '#!/bin/sh\nexit 0\n';

const packageOf = (description = 'Verify a release.') =>
  openUpload(
    zip([
      {
        name: 'SKILL.md',
        content: `---\nname: release-check\ndescription: ${JSON.stringify(description)}\n---\n\nRun it.\n`,
      },
      { name: 'scripts/verify.sh', content: script, mode: 0o100755 },
      { name: '.hidden/deep/file', content: '' },
    ]),
  );

const downloadOf = ({ ref, archive }: Pick<SkillPackage, 'ref' | 'archive'> = packageOf()) => ({
  package: ref,
  archive_base64: archive.toString('base64'),
});

const project = () => temporaryDirectory('project');

const roots: Record<AgentKind, string> = { codex: '.agents/skills', claude_code: '.claude/skills' };

/** All paths below a folder. */
const pathsIn = (folder: string) => readdir(folder, { recursive: true });

async function refusalOf(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ExportError)) throw error;
  return error.reason;
}

describe.each(Object.keys(roots) as AgentKind[])('spec 40 §5.7: export to %s', (agent) => {
  test('places every file with its mode, and nothing else', async () => {
    const root = await project();
    const placed = await exportSkill(downloadOf(), { project: root, agent });
    expect(placed).toMatch(new RegExp(`${roots[agent]}/release-check$`));
    const written = await readTree(join(root, roots[agent], 'release-check'));
    expect(written.map(({ path, executable }) => [path, executable]).toSorted()).toEqual([
      ['.hidden/deep/file', false],
      ['SKILL.md', false],
      ['scripts/verify.sh', true],
    ]);
    const verify = join(root, roots[agent], 'release-check/scripts/verify.sh');
    expect(await readFile(verify, 'utf8')).toBe(script);
    expect((await lstat(verify)).mode & 0o777).toBe(0o755);
    expect((await lstat(join(root, roots[agent], 'release-check/SKILL.md'))).mode & 0o777).toBe(0o644);
    expect(await readdir(join(root, roots[agent].slice(0, 7)))).toEqual(['skills']);
  });

  test('never replaces what exists: a folder, an empty one, a file, or a link to nowhere', async () => {
    const makers: ((path: string) => Promise<unknown>)[] = [
      (path) => mkdir(path),
      (path) => writeFile(path, 'mine'),
      (path) => symlink('/nowhere', path),
    ];
    for (const make of makers) {
      const root = await project();
      await mkdir(join(root, roots[agent]), { recursive: true });
      await make(join(root, roots[agent], 'release-check'));
      const before = await pathsIn(root);
      expect(await refusalOf(exportSkill(downloadOf(), { project: root, agent }))).toBe('exists');
      expect(await pathsIn(root)).toEqual(before);
    }
  });

  test('follows no link on the way', async () => {
    const [hidden = ''] = roots[agent].split('/');
    for (const linked of [hidden, roots[agent]]) {
      const root = await project();
      const outside = await project();
      await mkdir(join(root, linked, '..'), { recursive: true });
      await symlink(outside, join(root, linked));
      expect(await refusalOf(exportSkill(downloadOf(), { project: root, agent }))).toBe('not_a_directory');
      expect(await readdir(outside)).toEqual([]);
    }
  });
});

test('spec 40 §5.7: bytes with other digests are refused before anything is written', async () => {
  const root = await project();
  const target = { project: root, agent: 'codex' } as const;
  const { package: ref, archive_base64 } = downloadOf();
  const other = '0'.repeat(64);
  const wrong = [
    { package: { ...ref, archive_digest: other }, archive_base64 },
    { package: { ...ref, tree_digest: other }, archive_base64 },
    downloadOf({ ...packageOf(), archive: packageOf('Another.').archive }),
  ];
  for (const download of wrong)
    expect(await refusalOf(exportSkill(download, target))).toBe('digest_mismatch');
  await expect(exportSkill({ package: ref, archive_base64: `${archive_base64} ` }, target)).rejects.toThrow(
    InvalidPackageError,
  );
  expect(await readdir(root)).toEqual([]);
});

test('spec 40 §5.7: an archive with a hostile path is refused, whatever its digests say', async () => {
  const root = await project();
  const archive = zip([
    { name: 'SKILL.md', content: '---\nname: a\ndescription: b\n---\n' },
    { name: '../x' },
  ]);
  const download = {
    package: { ...packageOf().ref, archive_digest: createHash('sha256').update(archive).digest('hex') },
    archive_base64: archive.toString('base64'),
  };
  await expect(exportSkill(download, { project: root, agent: 'codex' })).rejects.toThrow(
    expect.objectContaining({ reason: 'invalid_path' }),
  );
  expect(await readdir(root)).toEqual([]);
});

test('spec 40 §5.7: a description is within the limits of its agent', async () => {
  const markup = downloadOf(packageOf('Use <b> here.'));
  const root = await project();
  expect(await refusalOf(exportSkill(markup, { project: root, agent: 'codex' }))).toBe('agent_format');
  expect(await exportSkill(markup, { project: root, agent: 'claude_code' })).toContain('release-check');
});

test('spec 40 §5.7: of ten exports at once one places the Skill, and no staging folder is left', async () => {
  const root = await project();
  const exports = Array.from({ length: 10 }, () =>
    exportSkill(downloadOf(), { project: root, agent: 'codex' }).then(
      () => 'placed',
      (error: unknown) => (error instanceof ExportError ? error.reason : String(error)),
    ),
  );
  expect((await Promise.all(exports)).toSorted()).toEqual([...Array<string>(9).fill('exists'), 'placed']);
  expect(await readdir(join(root, '.agents'))).toEqual(['skills']);
});

test('spec 40 §5.7: a project without permission to write keeps no staging folder', async () => {
  const root = await project();
  await mkdir(join(root, '.agents/skills'), { recursive: true });
  await chmod(join(root, '.agents/skills'), 0o500);
  const placed = await exportSkill(downloadOf(), { project: root, agent: 'codex' }).catch(() => 'refused');
  // The superuser may write everywhere.
  expect(placed === 'refused' || placed.endsWith('release-check')).toBe(true);
  expect(await readdir(join(root, '.agents'))).toEqual(['skills']);
  await chmod(join(root, '.agents/skills'), 0o700);
});

test('spec 70 scenario 38: a package with a .DS_Store that was stored before is exported', async () => {
  const stored = openArchive(
    zip([
      { name: 'SKILL.md', content: '---\nname: release-check\ndescription: Verify.\n---\n' },
      { name: '.DS_Store', content: 'x' },
    ]),
  );
  const placed = await exportSkill(downloadOf(stored), { project: await project(), agent: 'codex' });
  expect((await pathsIn(placed)).toSorted()).toEqual(['.DS_Store', 'SKILL.md']);
});
