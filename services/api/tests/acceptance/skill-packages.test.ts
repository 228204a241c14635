import { deflateRawSync } from 'node:zlib';
import { exampleArchive, type SkillContent } from '@continuity/contract/skills';
import { extraField, type ZipEntry, zip } from '@continuity/testing/zip';
import { afterAll, describe, expect, test } from 'vitest';
import { documentCalls, skill } from '../support/documents.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { startService } from '../support/service.ts';
import { archiveOf, helloFile, skillCalls, skillFile } from '../support/skills.ts';
import { capture, readSource } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const skills = skillCalls(service);
const review = reviewCalls(service);
const documents = documentCalls(service);

afterAll(() => service.stop());

const helloDigest = '8ead503b039bd26a77b1aa93335462409f967b623f91430eaf43138083d6b429';

const upload = (scope_id: string, archive_base64: string) =>
  service.send('POST', '/v1/skill/package/propose', { scope_id, archive_base64 });

/** Uploads and returns `package_error`. Expects that nothing is stored. */
async function refusalOf(archive_base64: string) {
  const scope = freshScope();
  const reply = await upload(scope, archive_base64);
  expectIssues(reply, ['archive_base64']);
  expect((await service.send('GET', `/v1/scopes/${scope}`)).status).toBe(404);
  return (reply.json as { error: { details: { package_error: unknown } } }).error.details.package_error;
}

const refusalWith = (...entries: ZipEntry[]) => refusalOf(archiveOf(helloFile, ...entries));

const refused = (reason: string, entry: string | null = null, field: string | null = null) => ({
  reason,
  entry,
  field,
  line: null,
  column: null,
});

const x = (name: string | Buffer, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  content: 'x',
  ...more,
});

test('spec 40 scenario 16: three archives of one tree are one package, and download as the canonical one', async () => {
  const scope = freshScope();
  const archives = [
    archiveOf(helloFile),
    archiveOf({ name: 'empty/' }, { ...helloFile, method: 8, directory: { time: 99 } }),
    zip([{ ...helloFile, local: { flags: 0x0808, crc: 0, size: 0, compressedSize: 0 }, mode: 0o100600 }], {
      comment: Buffer.from('by another tool'),
    }).toString('base64'),
  ];
  const sources = new Set<string>();
  for (const archive of archives) {
    const { body } = await skills.upload(scope, archive);
    expect(body).toMatchObject({
      version: 1,
      family: 'skill',
      status: 'pending',
      proposal: { name: 'hello', description: 'Say hello.', instructions: 'Say hello.', validation: [] },
      source_refs: [{ name: 'skill-package-upload', source_id: `skill_pkg_${helloDigest}` }],
      artifact_refs: [],
    });
    expect((body.proposal as SkillContent).package?.tree_digest).toBe(helloDigest);
    for (const { source_id } of body.source_refs) sources.add(source_id);
    const { result_artifact } = (await review.approve(scope, body.candidate_id)).body;
    const download = await skills.download(
      scope,
      result_artifact ?? { family: '', artifact_id: '', revision: 1 },
    );
    expect(download.body.archive_base64).toBe(exampleArchive);
  }
  expect(sources.size).toBe(1);
  const [rows] = await query(
    service.databaseUrl,
    'SELECT count(*)::int AS packages FROM skill_packages JOIN scopes USING (scope_key) WHERE scope_id = $1',
    [scope],
  );
  expect(rows).toEqual({ packages: 1 });
  const source = await readSource(service, scope, [...sources][0] ?? '', 'skill-package-upload');
  expect(source.body).toMatchObject({
    position: 1,
    content: {
      schema: 'service.skill-package-upload.v1',
      package: { tree_digest: helloDigest, file_count: 1 },
    },
  });
});

describe('spec 40 scenario 17: paths', () => {
  test.each<[string | Buffer, string, string | null]>([
    ['../x', 'invalid_path', '../x'],
    ['/x', 'invalid_path', '/x'],
    ['C:x', 'invalid_path', 'C:x'],
    ['a//b', 'invalid_path', 'a//b'],
    [Buffer.from([0xff]), 'invalid_path', null],
    ['docs/NUL.txt', 'invalid_path', 'docs/NUL.txt'],
    ['what?.md', 'invalid_path', 'what?.md'],
    ['verify\u200b.sh', 'invalid_path', 'verify\u200b.sh'],
    ['.GIT/config', 'forbidden_path', '.GIT/config'],
    ['node_modules/x', 'forbidden_path', 'node_modules/x'],
  ])('%j', async (name, reason, entry) => {
    expect(await refusalWith(x(name))).toEqual(refused(reason, entry));
  });
});

test('spec 40 scenario 18: special entries and collisions', async () => {
  expect(await refusalWith(x('a', { mode: 0o120777 }))).toEqual(refused('special_entry', 'a'));
  expect(await refusalWith(x('a', { mode: 0o010644 }))).toEqual(refused('special_entry', 'a'));
  expect(await refusalWith(x('a'), x('a'))).toEqual(refused('path_collision', 'a'));
  expect(await refusalWith(x('A.md'), x('a.md'))).toEqual(refused('path_collision', 'a.md'));
  expect(await refusalWith(x('docs/x'), x('Docs/y'))).toEqual(refused('path_collision', 'Docs/y'));
  expect(await refusalWith(x('a'), x('a/b'))).toEqual(refused('path_collision', 'a/b'));
});

test('spec 40 scenario 19: features, checksums and entries that disagree', async () => {
  expect(await refusalWith(x('a', { directory: { flags: 1 } }))).toEqual(refused('encrypted_entry', 'a'));
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  expect(await refusalOf(zip([helloFile], { beforeEnd: locator }).toString('base64'))).toEqual(
    refused('unsupported_zip_feature'),
  );
  const zip64 = { directory: { extra: extraField(1, Buffer.alloc(8)) } };
  expect(await refusalWith(x('a', zip64))).toEqual(refused('unsupported_zip_feature', 'a'));
  expect(await refusalWith(x('a', { method: 12 }))).toEqual(refused('unsupported_zip_feature', 'a'));
  expect(await refusalWith(x('a', { directory: { crc: 1 } }))).toEqual(refused('entry_mismatch', 'a'));
  const trailing = Buffer.concat([deflateRawSync(Buffer.from('x')), Buffer.from('y')]);
  expect(await refusalWith(x('a', { method: 8, raw: trailing }))).toEqual(refused('entry_mismatch', 'a'));
  expect(await refusalWith(x('a', { local: { name: Buffer.from('b') } }))).toEqual(
    refused('entry_mismatch', 'a'),
  );
  expect(await refusalWith(x('a', { offset: 0 }))).toEqual(refused('entry_mismatch', 'SKILL.md'));
});

describe('spec 40 scenario 21: SKILL.md', () => {
  const hello = (front: string) => `---\nname: hello\ndescription: Say hello.\n${front}---\n\nSay hello.\n`;
  test.each<[string, ZipEntry, string, string | null]>([
    ['missing', x('README.md'), 'missing_entrypoint', null],
    ['a BOM', { ...helloFile, content: `\uFEFF${hello('')}` }, 'invalid_entrypoint', null],
    ['a key twice', { ...helloFile, content: hello('license: a\nlicense: b\n') }, 'invalid_entrypoint', null],
    ['an alias', { ...helloFile, content: hello('a: &x b\nc: *x\n') }, 'invalid_entrypoint', null],
    ['a tag', { ...helloFile, content: hello('a: !!str b\n') }, 'invalid_entrypoint', null],
    [
      'a name',
      { ...helloFile, content: '---\nname: Foo_Bar\ndescription: b\n---\n' },
      'invalid_entrypoint',
      'name',
    ],
    ['metadata', { ...helloFile, content: hello('metadata: {a: 1}\n') }, 'invalid_entrypoint', 'metadata'],
    ['a license', { ...helloFile, content: hello('license: ""\n') }, 'invalid_entrypoint', 'license'],
    [
      'a description of 1,025',
      { ...helloFile, content: `---\nname: a\ndescription: ${'é'.repeat(1025)}\n---\n` },
      'invalid_entrypoint',
      'description',
    ],
    ['0 bytes', { ...helloFile, content: '' }, 'invalid_entrypoint', null],
    ['131,073 bytes', { ...helloFile, content: hello('').padEnd(131_073, 'x') }, 'invalid_entrypoint', null],
  ])('%s', async (_what, entry, reason, field) => {
    const shown = reason === 'missing_entrypoint' ? null : 'SKILL.md';
    expect(await refusalOf(archiveOf(entry))).toMatchObject({ reason, entry: shown, field });
  });

  test('in a folder beside a file', async () => {
    const folder = archiveOf({ ...helloFile, name: 'hello/SKILL.md' }, x('README.md'));
    expect(await refusalOf(folder)).toEqual(refused('missing_entrypoint'));
  });

  test.each<[string, string, object]>([
    [
      'a colon in a value',
      '---\nname: a\ndescription: Use when: x\n---\n',
      { line: 3, column: 14, field: 'description' },
    ],
    ['an anchor', hello('a: &x b\n'), { line: 4, column: 4, field: null }],
    ['a number', hello('license: 1.0\n'), { line: 4, column: 10, field: 'license' }],
    ['a name', '---\ndescription: ä\nname:  Foo_Bar\n---\n', { line: 3, column: 8, field: 'name' }],
    ['no name', '---\ndescription: b\n---\n', { line: null, column: null, field: 'name' }],
    ['no front matter', 'Hello\n', { line: 1, column: 1, field: null }],
  ])('spec 70 §1.4: the place of %s', async (_what, content, place) => {
    expect(await refusalOf(archiveOf({ ...helloFile, content }))).toMatchObject(place);
  });

  test.each(['references/x/SKILL.md', 'docs/skill.MD'])('a second one: %s', async (name) => {
    expect(await refusalWith({ ...helloFile, name })).toEqual(refused('invalid_entrypoint', name));
  });

  test('a license without a value is left out', async () => {
    const { status, body } = await skills.upload(
      freshScope(),
      archiveOf({ ...helloFile, content: hello('license:\n') }),
    );
    expect([status, (body.proposal as SkillContent).license]).toEqual([201, null]);
  });
});

test('spec 40 §5.2: base64 and the bound of the field', async () => {
  expect(await refusalOf(`${exampleArchive.slice(0, -4)}AAB=`)).toEqual(refused('invalid_base64'));
  expect(await refusalOf(` ${exampleArchive}`)).toEqual(refused('invalid_base64'));
  expect(await refusalOf(Buffer.alloc(5_242_881).toString('base64'))).toEqual(refused('archive_too_large'));
  for (const text of ['', 'A'.repeat(6_990_509)]) {
    const reply = await upload(freshScope(), text);
    expectIssues(reply, ['archive_base64']);
    expect(reply.text).not.toContain('package_error');
  }
});

test('spec 40 scenario 22: an executable script and its old revision stay downloadable', async () => {
  const scope = freshScope();
  const script = { name: 'scripts/verify.sh', content: '#!/bin/sh\nexit 0\n', mode: 0o100755 };
  const front =
    '---\nname: release-check\ndescription: Verify a release before it is published.\nlicense: Apache-2.0\n---\n\n';
  const entrypoint = { name: 'SKILL.md', content: `${front}Run scripts/verify.sh and read its report.\n` };
  const first = await skills.approved(scope, archiveOf(script, entrypoint));
  const manifest = (await skills.manifest(scope, first)).body;
  expect(manifest).toEqual({
    package: {
      tree_digest: '0a9e28acd44bcf7406f5b521a1cf8b439a0540ad8b265959e5cddc9c692d1182',
      archive_digest: '2ab3d2d24caa99ee245367015fd9e1a2de282554a2712b1b5611b7dd91de614f',
      file_count: 2,
      uncompressed_size: 163,
      archive_size: 387,
    },
    name: 'release-check',
    description: 'Verify a release before it is published.',
    license: 'Apache-2.0',
    compatibility: null,
    metadata: {},
    allowed_tools: null,
    files: [
      {
        path: 'SKILL.md',
        digest: 'd6225855e982203fbc495356b8f2fb06db7784d23824a0790776749502ba36af',
        size: 146,
        media_type: 'text/markdown',
        executable: false,
      },
      {
        path: 'scripts/verify.sh',
        digest: '306c6ca7407560340797866e077e053627ad409277d1b9da58106fce4cf717cb',
        size: 17,
        media_type: 'application/x-sh',
        executable: true,
      },
    ],
  });
  const before = (await skills.download(scope, first)).body;
  const changed = archiveOf(entrypoint, { ...script, content: '#!/bin/sh\nexit 1\n' });
  const second = await skills.approved(scope, changed, { target: first });
  expect(second).toEqual({ ...first, revision: 2 });
  expect((await skills.download(scope, first)).body).toEqual(before);
  expect((await skills.download(scope, second)).body.package).not.toEqual(before.package);
  expect((await skills.get(scope, second)).body.source_refs).toHaveLength(1);
});

test('spec 40 scenario 23: proposed fields, uploaded bytes and a direct Create give equal packages', async () => {
  const scope = freshScope();
  await capture(service, scope, 'source');
  const fields = skill({ validation: ['contract tests pass'] });
  const cited = { source_refs: [{ name: 'content', source_id: 'source' }] };
  const proposed = (await review.proposeSkill(scope, cited, fields)).body.proposal as SkillContent;
  expect(proposed.package?.tree_digest).toBe(
    '99cbd3200f79883aada42df1f86f837a1389ecf9aa5462bf3be96314c94fa4ec',
  );
  expect([proposed.validation, proposed.instructions]).toEqual([
    [],
    `${fields.instructions}\n\n## Validation\n\n- contract tests pass`,
  ]);
  const created = await documents.createSkill(scope, fields);
  expect(await documents.skillOf(scope, created.body.artifact_id)).toEqual(proposed);
  expectIssues(await review.send(scope, cited, '/v1/skill/propose', skill({ name: 'My Skill' })), [
    'proposal.name',
  ]);
});

test('spec 40 §6.8: an Idempotency-Key makes one Candidate, whatever spelling of the archive is sent', async () => {
  const scope = freshScope();
  const key = { 'Idempotency-Key': 'one' };
  const first = await skills.upload(scope, exampleArchive, {}, key);
  const again = await skills.upload(scope, exampleArchive, {}, key);
  expect(again.body).toEqual(first.body);
  for (const [archive, more] of [
    [exampleArchive, { reason: 'Another.' }],
    [archiveOf({ ...helloFile, method: 8 }), {}],
  ] as const) {
    const other = await skills.upload(scope, archive, more, key);
    expect([other.error?.code, other.error?.details]).toEqual([
      'candidate_conflict',
      { reason: 'idempotency_key' },
    ]);
  }
  const candidates = await service.call('list_artifact_candidates', { body: { scope_id: scope } });
  expect(candidates.body.candidates).toHaveLength(1);
});

test('spec 40 §6.8: 20 equal uploads at once make 20 Candidates, one package and one Source', async () => {
  const scope = freshScope();
  const replies = await race(20, () => skills.upload(scope, exampleArchive));
  expect(countStatuses(replies)).toEqual({ 201: 20 });
  expect(new Set(replies.map(({ body }) => body.candidate_id)).size).toBe(20);
  expect(await documents.sourceCount(scope)).toBe(1);
});

describe('spec 40 §6.8: the target of an upload', () => {
  test('is an existing head of a Skill; anything else leaves nothing', async () => {
    const scope = freshScope();
    const head = await skills.approved(scope, exampleArchive);
    const send = (target: object, scope_id = scope) =>
      service.send('POST', '/v1/skill/package/propose', { scope_id, archive_base64: exampleArchive, target });
    expectIssues(await send({ ...head, revision: 2 }), ['target']);
    expectIssues(await send(head, freshScope()), ['target']);
    const { body } = await documents.createExperience(scope);
    const { family, artifact_id, revision } = body;
    expectIssues(await send({ family, artifact_id, revision }), ['target']);
    await skills.approved(scope, archiveOf(skillFile('renamed')), { target: head });
    const stale = await skills.upload(scope, exampleArchive, { target: head });
    expect([stale.error?.code, stale.error?.details]).toEqual([
      'artifact_conflict',
      { target: head, current: { ...head, revision: 2 } },
    ]);
    expect(await skills.names(scope)).toEqual(['renamed']);
    const refusedFirst = await service.send('POST', '/v1/skill/package/propose', {
      scope_id: scope,
      archive_base64: 'UEs=',
      target: head,
    });
    expectIssues(refusedFirst, ['archive_base64']);
  });
});

test('spec 40 §5.6: a damaged package is handed out by nothing, and cannot be approved', async () => {
  const scope = freshScope();
  const approved = await skills.approved(scope, exampleArchive);
  const pending = await skills.upload(scope, exampleArchive);
  await query(
    service.databaseUrl,
    `UPDATE skill_packages p SET archive = set_byte(archive, 60, get_byte(archive, 60) # 1)
     FROM scopes c WHERE c.scope_key = p.scope_key AND c.scope_id = $1`,
    [scope],
  );
  const ask = (path: string) => service.send('POST', path, { scope_id: scope, artifact: approved });
  expect((await ask('/v1/skill/package/download')).status).toBe(500);
  expect((await ask('/v1/skill/package/manifest')).status).toBe(500);
  const decision = { scope_id: scope, candidate_id: pending.body.candidate_id, expected_version: 1 };
  expect((await service.send('POST', '/v1/artifact-candidates/approve', decision)).status).toBe(500);
  expect((await upload(scope, exampleArchive)).status).toBe(500);
  expect(await review.get(scope, pending.body.candidate_id)).toMatchObject({
    status: 200,
    body: { package_summary: null },
  });
  expect((await review.list(scope)).body.candidates).toHaveLength(1);
  expect((await skills.get(scope, approved)).body.content.name).toBe('hello');
});

test('spec 40 §4: an approval compares the fields with those of SKILL.md', async () => {
  const scope = freshScope();
  const { body } = await skills.upload(scope, exampleArchive);
  for (const table of ['candidate_versions', 'skill_packages']) {
    const column = table === 'skill_packages' ? 'says' : 'proposal';
    await query(
      service.databaseUrl,
      `UPDATE ${table} SET ${column} = replace(${column}, 'Say hello.', 'Say goodbye.') WHERE ${
        table === 'skill_packages'
          ? `scope_key = (SELECT scope_key FROM scopes WHERE scope_id = '${scope}')`
          : `candidate_id = '${body.candidate_id}'`
      }`,
    );
  }
  const decision = { scope_id: scope, candidate_id: body.candidate_id, expected_version: 1 };
  expect((await service.send('POST', '/v1/artifact-candidates/approve', decision)).status).toBe(500);
});
