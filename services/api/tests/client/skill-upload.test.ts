import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Candidate } from '@continuity/contract/review';
import type { SkillContent } from '@continuity/contract/skills';
import { temporaryDirectory } from '@continuity/testing';
import { type ZipEntry, zip } from '@continuity/testing/zip';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const folder = await temporaryDirectory('skill-upload');

afterAll(() => service.stop());

const text = '---\nname: release-check\ndescription: Verify a release.\n---\n\nRun it.\n';
const entries: ZipEntry[] = [
  { name: 'SKILL.md', content: text },
  { name: 'docs/café.md', content: 'x' },
];

/** Uploads by the command line, with JSON output. */
const upload = (...args: string[]) =>
  runCli(['skill', 'upload', ...args, '--json'], {
    env: { XDG_CONFIG_HOME: folder, CONTINUITY_URL: service.url, CONTINUITY_SCOPE: freshScope() },
  });

async function archive(name: string, content: ZipEntry[]): Promise<string> {
  await writeFile(join(folder, name), zip(content));
  return join(folder, name);
}

const digestOf = (stdout: string) =>
  ((JSON.parse(stdout) as Candidate).proposal as SkillContent).package?.tree_digest;

test('spec 70 scenario 35: `skill upload` of archives of old tools of Windows gives the digest of the clean folder', async () => {
  const clean = join(folder, 'clean');
  await mkdir(join(clean, 'docs'), { recursive: true });
  await writeFile(join(clean, 'SKILL.md'), text);
  await writeFile(join(clean, 'docs/café.md'), 'x');
  const first = await upload(clean);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const powershell = entries.map((one) => ({
    ...one,
    name: `release-check\\${one.name}`.replaceAll('/', '\\'),
  }));
  const second = await upload(await archive('powershell.zip', powershell));
  expect(second.stderr).toBe(
    'Took the Skill from the folder release-check\n' +
      'Renamed: release-check\\SKILL.md to release-check/SKILL.md\n' +
      'Renamed: release-check\\docs\\café.md to release-check/docs/café.md\n',
  );
  const [skill = {}] = entries;
  const old = Buffer.from('docs/caf\x82.md', 'latin1');
  const codePage = [
    { name: 'SKILL.md', ...skill },
    { name: old, content: 'x', directory: { flags: 0 } },
  ];
  const third = await upload(
    await archive('code-page.zip', [...codePage, { name: '__MACOSX/._x', content: 'x' }]),
  );
  expect(third.stderr).toContain('Left out: __MACOSX/._x\n');
  expect(new Set([first, second, third].map(({ stdout }) => digestOf(stdout))).size).toBe(1);
});

test('spec 70 scenario 36: several Skills are exit code 2 with the list, and --path chooses', async () => {
  const path = await archive('repository.zip', [
    { name: 'main/a/SKILL.md', content: text },
    { name: 'main/b/SKILL.md', content: text },
  ]);
  const refused = await upload(path);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('main/a');
  expect(refused.stderr).toContain('main/b');
  expect(await upload(path, '--path', 'main/b')).toMatchObject({ code: 0 });
});

test('spec 70 scenario 36: what cannot be mended is exit code 2, and so is a path that does not exist', async () => {
  const secret = await archive('secret.zip', [...entries, { name: '.env', content: 'A=b' }]);
  const refused = await upload(secret);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('.env');
  expect((await upload(join(folder, 'nowhere'))).code).toBe(2);
});

test('spec 70 scenario 37: --fix prints both lines, the upload is 201, and the file stays', async () => {
  const broken = join(folder, 'broken');
  await mkdir(broken);
  const before = '---\nname: broken\ndescription: Use when: x\n---\n';
  await writeFile(join(broken, 'SKILL.md'), before);
  const refused = await upload(broken);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Line 3, column 14: `description` has a colon and a blank.');
  expect(refused.stderr).toContain('--fix');
  const fixed = await upload(broken, '--fix');
  expect(fixed.stderr).toBe('SKILL.md, line 3:\n- description: Use when: x\n+ description: "Use when: x"\n');
  expect(JSON.parse(fixed.stdout)).toMatchObject({ proposal: { description: 'Use when: x' } });
  expect(await readFile(join(broken, 'SKILL.md'), 'utf8')).toBe(before);
});
