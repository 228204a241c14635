import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import {
  externalSkillCalls,
  packagesBelow,
  releaseCheck,
  type SkillFiles,
  skillText,
  writeSkill,
  writeSkillHosts,
} from '../support/external-skills.ts';
import { freshScope } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { startSecondGateway, startService } from '../support/service.ts';
import { skillCalls } from '../support/skills.ts';
import { query } from '../support/sql.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const host_id = 'workstation-1';
const repository = await temporaryDirectory('skills');
const service = await startService({
  workers: true,
  environment: {
    MEMORY_AUTO_FLUSH: 'off',
    AUTH_TOKENS_FILE: await writeTokens('usual'),
    EXTERNAL_SKILLS_FILE: await writeSkillHosts({ [host_id]: [{ tenant: 'usual', path: repository }] }),
  },
});
const usual = clientOf(service.url, 'usual');
const calls = externalSkillCalls(usual);
const { scanned, scanOne } = packagesBelow(repository, calls);
const review = reviewCalls(usual);
const skills = skillCalls(usual);

afterAll(() => service.stop());

const exampleDigest = '0a9e28acd44bcf7406f5b521a1cf8b439a0540ad8b265959e5cddc9c692d1182';

test('spec 40 scenario 29: an import holds exactly the package, whatever becomes of the directory', async () => {
  const scope = freshScope();
  const { directory, registration } = await scanned(scope, 'release-check', releaseCheck);
  expect(registration).toMatchObject({ fingerprint: exampleDigest, host_id, locator: directory });
  const [first, ...equal] = await Promise.all(
    Array.from({ length: 5 }, () => calls.import(scope, registration, 'import', { reason: 'Ours.' })),
  );
  const candidate = first?.body.candidate;
  expect(candidate).toMatchObject({
    status: 'pending',
    proposal: { name: 'release-check', license: 'Apache-2.0', package: { tree_digest: exampleDigest } },
    source_refs: [
      {
        name: 'external-skill-snapshot',
        // The example of spec 40 §7.4.
        source_id: 'ext_skill_5bff5adcefdec93d95fb714d72dd242ab458fbcd27df60ae3afad107db8f380c',
      },
    ],
    artifact_refs: [],
    target: null,
    reason: 'Ours.',
  });
  for (const one of equal) expect(one.body).toEqual(first?.body);
  await writeFile(join(directory, 'SKILL.md'), skillText('release-check', 'Changed.'));
  // An equal request is answered before the version is looked at, and another reason changes nothing about what it is.
  expect((await calls.import(scope, registration)).body).toEqual(first?.body);
  await rm(directory, { recursive: true });
  expect((await calls.import(scope, registration)).body).toEqual(first?.body);
  const approved = (await review.approve(scope, candidate?.candidate_id ?? '')).body.result_artifact;
  if (approved === null) throw new Error('The Candidate was not approved.');
  const manifest = (await skills.manifest(scope, approved)).body;
  expect(manifest.package.tree_digest).toBe(exampleDigest);
  expect(manifest.files.map(({ path, executable }) => [path, executable])).toEqual([
    ['SKILL.md', false],
    ['scripts/verify.sh', true],
  ]);
  const late = await calls.import(scope, registration);
  expect([late.status, late.error?.code]).toEqual([409, 'external_skill_snapshot_unavailable']);
});

test('spec 70 scenario 38: a package with a .DS_Store that came from a folder is read and downloaded', async () => {
  const scope = freshScope();
  const { registration } = await scanned(scope, 'from-a-mac', {
    'SKILL.md': skillText('from-a-mac'),
    '.DS_Store': 'x',
  });
  const { candidate } = (await calls.import(scope, registration)).body;
  const approved = (await review.approve(scope, candidate?.candidate_id ?? '')).body.result_artifact;
  if (approved === null) throw new Error('The Candidate was not approved.');
  const { files } = (await skills.manifest(scope, approved)).body;
  expect(files.map(({ path }) => path)).toEqual(['.DS_Store', 'SKILL.md']);
  const download = (await skills.download(scope, approved)).body;
  expect(download.package.tree_digest).toBe(registration.fingerprint);
  expect(Buffer.from(download.archive_base64, 'base64').includes('.DS_Store')).toBe(true);
});

test('spec 40 scenario 12: with generation switched off, scan, list and exact import work, and fork is 503', async () => {
  const scope = freshScope();
  const off = await startSecondGateway({
    ...service,
    settings: { ...service.settings, SKILL_GENERATION: false, EXPERIENCE_GENERATION: false },
  });
  try {
    const calm = externalSkillCalls(clientOf(off.url, 'usual'));
    await writeSkill(repository, 'without-generator');
    const registration = await scanOne(scope, 'without-generator');
    expect((await calm.scan(scope)).status).toBe(200);
    expect((await calm.list(scope)).body.skills).toContainEqual(expect.objectContaining({ registration }));
    const refused = await calm.import(scope, { ...registration, external_skill_id: 'unknown' }, 'fork');
    expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
      503,
      'generation_unavailable',
      { family: 'skill' },
    ]);
    expect((await calm.import(scope, registration)).body.status).toBe('pending');
  } finally {
    await off.stop();
  }
});

test('spec 40 §7.4: the snapshot is a Source that records registration, package and mode, and fork replaces the name alone', async () => {
  const scope = freshScope();
  const name = `long-${'a'.repeat(54)}-name`;
  const skillFile = `---\r\nname: >-\r\n  ${name}\r\nx-own: [1, 2]\r\ndescription: "Use it."\r\n---\r\n\r\nDo it.\r\n`;
  const { registration } = await scanned(scope, name, {
    'SKILL.md': skillFile,
    'scripts/run.sh': '#!/bin/sh\n',
  });
  const forked = await calls.import(scope, registration, 'fork');
  const { candidate } = forked.body;
  const forkName = `long-${'a'.repeat(54)}-fork`;
  expect(candidate?.proposal).toMatchObject({ name: forkName, description: 'Use it.' });
  const [ref] = candidate?.source_refs ?? [];
  const source = await usual.call('get_source', {
    params: { scope_id: scope, source_type: ref?.name ?? '', source_id: ref?.source_id ?? '' },
  });
  expect(source.body.content).toMatchObject({
    schema: 'service.external-skill-snapshot.v1',
    registration,
    package: { tree_digest: registration.fingerprint, file_count: 2 },
    mode: 'fork',
  });
  const approved = (await review.approve(scope, candidate?.candidate_id ?? '')).body.result_artifact;
  if (approved === null) throw new Error('The Candidate was not approved.');
  const archive = Buffer.from(
    (await skills.download(scope, approved)).body.archive_base64,
    'base64',
  ).toString();
  expect(archive).toContain(skillFile.replace(`>-\r\n  ${name}`, forkName));
  const imported = await calls.import(scope, registration);
  expect(imported.body.candidate?.proposal).toMatchObject({ name });
  const inbox = await usual.call('list_candidate_inbox', {
    body: { selection: { mode: 'exact', scope_ids: [scope] }, origins: ['imported', 'forked'] },
  });
  expect(inbox.body.items.map(({ origin }) => origin)).toEqual(['imported']);
});

test('spec 40 §7.4: what may not be imported is 422 with its reason, and stores nothing', async () => {
  const scope = freshScope();
  const refuse = async (directory: string, files: SkillFiles, mode: 'import' | 'fork' = 'import') => {
    const { registration } = await scanned(scope, directory, files);
    const refused = await calls.import(scope, registration, mode);
    expect([refused.status, refused.error?.code]).toEqual([422, 'invalid_request']);
    expect(refused.error?.details).toMatchObject({ issues: [{ path: 'external_skill_id' }] });
    return (refused.error?.details as { package_error?: object } | undefined)?.package_error;
  };
  expect(await refuse('other-directory', { 'SKILL.md': skillText('its-name') })).toEqual({
    reason: 'invalid_entrypoint',
    entry: 'SKILL.md',
    field: 'name',
    line: null,
    column: null,
  });
  expect(await refuse('no-slug', { 'SKILL.md': skillText('No Slug') })).toMatchObject({ field: 'name' });
  const entry = (name: string) => ({ 'SKILL.md': skillText(name) });
  expect(await refuse('colon', { ...entry('colon'), 'a:b': '' })).toMatchObject({
    reason: 'invalid_path',
    entry: 'a:b',
  });
  expect(await refuse('device', { ...entry('device'), 'docs/NUL.txt': '' })).toMatchObject({
    reason: 'invalid_path',
    entry: 'docs/NUL.txt',
  });
  expect(await refuse('unseen', { ...entry('unseen'), 'run\u202e.sh': '' }, 'fork')).toMatchObject({
    reason: 'invalid_path',
    entry: 'run\u202e.sh',
  });
  expect(await refuse('second', { ...entry('second'), 'x/skill.md': '' })).toMatchObject({
    reason: 'invalid_entrypoint',
    entry: 'x/skill.md',
  });
  expect(await refuse('git', { ...entry('git'), '.git/config': '' })).toMatchObject({
    reason: 'forbidden_path',
  });
  expect(await refuse('cases', { ...entry('cases'), 'Docs/y': '', 'docs/x': '' })).toMatchObject({
    reason: 'path_collision',
  });
  const full = skillText('full', '');
  const body = 'x'.repeat(131_072 - full.length);
  expect(await refuse('full', { 'SKILL.md': skillText('full', body) }, 'fork')).toMatchObject({
    reason: 'invalid_entrypoint',
    entry: 'SKILL.md',
  });
  const stored = await query(
    service.databaseUrl,
    `SELECT FROM skill_packages JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = '${scope}'`,
  );
  expect(stored).toEqual([]);
  expect((await review.list(scope)).body.candidates).toEqual([]);
  for (const name of [
    'other-directory',
    'no-slug',
    'colon',
    'device',
    'unseen',
    'second',
    'git',
    'cases',
    'full',
  ]) {
    await rm(join(repository, name), { recursive: true });
  }
});
