import type { ZipEntry } from '@continuity/testing/zip';
import { beforeAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import { expectAccessible, setUpConsole } from './support/console.ts';

const on = setUpConsole();
let skills: ReturnType<typeof skillCalls>;

beforeAll(() => {
  skills = skillCalls(on.service);
});

const executable = 0o100755;
const files: ZipEntry[] = [
  skillFile('deploy'),
  { name: 'scripts/build.sh', content: '#!/bin/sh\nmake build\n', mode: executable },
  { name: 'scripts/release.sh', content: '#!/bin/sh\nmake release\n', mode: executable },
  { name: 'notes.md', content: 'Notes with \u202Ehidden\u202C text.\n' },
  { name: 'data.bin', content: Buffer.from([0, 1, 2, 255]) },
];
const button = (name: string | RegExp) => on.tab.page.getByRole('button', { name });
const panel = () => on.tab.page.getByRole('tabpanel');
const openFile = async (path: string) => {
  await panel().getByRole('link', { name: path }).click();
  await on.tab.page.getByRole('region', { name: path, exact: true }).waitFor();
};

test('spec 60 scenario 12: the files of a package, and executables that were not opened', async () => {
  const scope = freshScope();
  const { candidate_id } = (await skills.upload(scope, archiveOf(...files))).body;
  const { body: manifest } = await on.service.call('get_candidate_package_manifest', {
    body: { scope_id: scope, candidate_id, version: 1 },
  });
  await on.tab.open(`review?within=scope&scope=${scope}`);
  await button('Approve version 1').click();
  const checkbox = on.tab.page.getByRole('checkbox', {
    name: 'Approve 2 executable files that I did not open',
  });
  await checkbox.waitFor();
  expect(await button('Confirm').isDisabled()).toBe(true);
  await button('Cancel').click();
  await on.tab.page.getByRole('tab', { name: 'Files (5)' }).click();
  const links = await panel().getByRole('link').allTextContents();
  expect(links).toHaveLength(manifest.files.length);
  for (const { path, executable: isExecutable } of manifest.files) {
    const link = links.find((text) => text.startsWith(path));
    expect(link?.includes('executable')).toBe(isExecutable);
  }
  expect(links.slice(0, 2).every((text) => text.includes('executable'))).toBe(true);
  await openFile('notes.md');
  const notes = on.tab.page.getByRole('region', { name: 'notes.md' });
  await notes.getByText('U+202E').waitFor();
  await notes.getByText('Hidden characters: 2 bidirectional controls.').waitFor();
  await openFile('data.bin');
  await on.tab.page.getByText('00 01 02 ff').waitFor();
  await openFile('scripts/build.sh');
  await on.tab.page.getByText('make build').waitFor();
  await expectAccessible(on.tab);
  await openFile('scripts/release.sh');
  await button('Approve version 1').click();
  expect(await checkbox.count()).toBe(0);
  await button('Cancel').click();
  // A version that changes one file keeps the others opened.
  const next = files.map((file) =>
    file.name === 'scripts/build.sh' ? { ...file, content: '#!/bin/sh\nmake all\n' } : file,
  );
  await skills.upload(scope, archiveOf(...next));
  await on.tab.page.keyboard.press('Alt+r');
  await on.tab.page.getByRole('list', { name: 'Candidates' }).getByRole('link').nth(1).click();
  await button('Approve version 1').click();
  await on.tab.page.getByRole('checkbox', { name: 'Approve 1 executable file that I did not open' }).check();
  await button('Confirm').click();
  await on.tab.page
    .getByRole('status', { name: 'Messages' })
    .getByText(/^Approved: skill\//)
    .waitFor();
});

test('spec 60 scenario 12: a package that replaces another one shows what changed', async () => {
  const scope = freshScope();
  const target = await skills.approved(scope, archiveOf(...files));
  const changed = files.map((file) =>
    file.name === 'scripts/build.sh' ? { ...file, content: '#!/bin/sh\nmake all\n' } : file,
  );
  await skills.upload(scope, archiveOf(...changed), { target });
  await on.tab.open(`review?within=scope&scope=${scope}`);
  await on.tab.page.getByRole('tab', { name: 'Files (5)' }).click();
  await on.tab.page.getByText('4 unchanged files').waitFor();
  await openFile('scripts/build.sh');
  const file = on.tab.page.getByRole('region', { name: 'scripts/build.sh', exact: true });
  await file.getByText('removed').waitFor();
  expect(await file.locator('.lines li').allTextContents()).toEqual([
    '#!/bin/sh',
    'removedmake build',
    'addedmake all',
    '',
  ]);
  await button('Approve version 1').click();
  await on.tab.page
    .getByText(`Approve version 1? It appends revision 2 to Skill ${target.artifact_id}.`)
    .waitFor();
  expect(await on.tab.page.getByRole('checkbox', { name: /executable/ }).count()).toBe(0);
});

test('spec 60 scenario 12: a link to a changed file shows its difference, also where the target is read late', async () => {
  const scope = freshScope();
  const target = await skills.approved(scope, archiveOf(...files));
  const changed = files.map((file) =>
    file.name === 'scripts/build.sh' ? { ...file, content: '#!/bin/sh\nmake all\n' } : file,
  );
  const { candidate_id } = (await skills.upload(scope, archiveOf(...changed), { target })).body;
  on.proxy.treat(({ path }) => (path === '/v1/skill/package/manifest' ? { delayMs: 300 } : 'forward'));
  await on.tab.open(
    `review?within=scope&scope=${scope}&of=${scope}&candidate=${candidate_id}&tab=files&file=scripts/build.sh`,
  );
  const file = on.tab.page.getByRole('region', { name: 'scripts/build.sh', exact: true });
  await file.getByText('added').first().waitFor();
  expect(await file.locator('.lines li').allTextContents()).toEqual([
    '#!/bin/sh',
    'removedmake build',
    'addedmake all',
    '',
  ]);
});

test('spec 60 scenario 12: Revise keeps a package of several files', async () => {
  const scope = freshScope();
  const { candidate_id } = (await skills.upload(scope, archiveOf(...files))).body;
  await on.tab.open(`review?within=scope&scope=${scope}`);
  await button('Revise version 1').click();
  expect(await on.tab.page.getByRole('textbox', { name: 'Instructions' }).isEditable()).toBe(false);
  await on.tab.page.getByRole('textbox', { name: 'Reason' }).fill('It is needed now.');
  await button('Save version 2').click();
  await on.tab.page.getByText('Saved as version 2.').waitFor();
  const { body } = await reviewCalls(on.service).get(scope, candidate_id);
  expect(body).toMatchObject({
    version: 2,
    reason: 'It is needed now.',
    proposal: { package: { file_count: 5 } },
  });
});

test('spec 60 scenario 12: an archive with changed bytes is an error, and the page goes on', async () => {
  const scope = freshScope();
  const { candidate_id } = (await skills.upload(scope, archiveOf(...files))).body;
  const { body } = await on.service.call('download_candidate_package', {
    body: { scope_id: scope, candidate_id, version: 1 },
  });
  const bytes = Buffer.from(body.archive_base64, 'base64');
  bytes[bytes.indexOf('make build')] = 'f'.charCodeAt(0);
  // The proxy changes a byte of the archive.
  on.proxy.treat(({ path }) =>
    path.endsWith('/package/download')
      ? { status: 200, body: { ...body, archive_base64: bytes.toString('base64') } }
      : 'forward',
  );
  await on.tab.open(`review?within=scope&scope=${scope}`);
  await on.tab.page.getByRole('tab', { name: 'Files (5)' }).click();
  await panel().getByRole('link', { name: 'scripts/build.sh' }).click();
  const failure = on.tab.page
    .getByRole('alert')
    .filter({ hasText: 'The bytes of scripts/build.sh do not have the digest of the manifest.' });
  await failure.getByText(/^0{32}$/).waitFor();
  await on.tab.page.getByRole('tab', { name: 'Proposal' }).click();
  await panel().getByText('Do it.').waitFor();
});

test('spec 60 §7.3.11: a package is replaced by an upload, which makes one Candidate, and a refused one says why', async () => {
  const scope = freshScope();
  const { candidate_id } = (await skills.upload(scope, archiveOf(...files))).body;
  await on.tab.open(`review?within=scope&scope=${scope}`);
  await button('Revise version 1').click();
  const upload = (buffer: Buffer) =>
    on.tab.page
      .getByLabel('Package (ZIP)')
      .setInputFiles({ name: 'deploy.zip', mimeType: 'application/zip', buffer });
  await upload(Buffer.from('no archive'));
  await button('Upload the package').click();
  await on.tab.page.getByRole('alert').getByText('invalid_request').waitFor();
  const changed = [skillFile('deploy', 'Do it otherwise.'), ...files.slice(1)];
  await upload(Buffer.from(archiveOf(...changed), 'base64'));
  await on.tab.page.getByRole('textbox', { name: 'Reason' }).fill('The steps were wrong.');
  await button('Upload the package').dblclick();
  await on.tab.page.getByText('The old Candidate can be rejected.').waitFor();
  await expectAccessible(on.tab);
  const { candidates } = (await reviewCalls(on.service).list(scope)).body;
  expect(candidates).toMatchObject([
    { candidate_id },
    { reason: 'The steps were wrong.', proposal: { package: { file_count: 5 } } },
  ]);
});

test('spec 60 §7.3.11: a Skill of one file is edited as fields, and keys of its front matter that are lost are named', async () => {
  const scope = freshScope();
  const content = '---\nname: deploy\ndescription: Use it.\nmodel: fast\n---\n\nDo it.\n';
  const { candidate_id } = (await skills.upload(scope, archiveOf({ name: 'SKILL.md', content }))).body;
  await on.tab.open(`review?within=scope&scope=${scope}`);
  await button('Revise version 1').click();
  await on.tab.page.getByRole('textbox', { name: 'Instructions' }).fill('Do it twice.');
  await on.tab.page.getByRole('note').getByText('These keys would be lost:').waitFor();
  await on.tab.page.getByRole('note').getByText('model').waitFor();
  await button('Save version 2').click();
  await on.tab.page.getByText('Saved as version 2.').waitFor();
  const { body } = await reviewCalls(on.service).get(scope, candidate_id);
  expect(body).toMatchObject({ version: 2, proposal: { instructions: 'Do it twice.' } });
});
