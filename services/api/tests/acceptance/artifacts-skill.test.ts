import type { SkillContentInput } from '@continuity/contract/skills';
import { asDigest, digestHex } from '@continuity/kernel/json';
import { scopePath } from '@continuity/shared/handlers';
import { afterAll, describe, expect, test } from 'vitest';
import { etagOf } from '../support/artifacts.ts';
import { documentCalls, skill } from '../support/documents.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const calls = documentCalls(service);

afterAll(() => service.stop());

const post = (scope: string, content: unknown) =>
  service.send('POST', scopePath(scope, 'artifacts'), { family: 'skill', content });

/** The rows of a Scope's Skills besides their revisions. */
const rowsOf = async (scope: string) => {
  const [row] = await query<Record<string, number>>(
    service.databaseUrl,
    `SELECT (SELECT count(*)::int FROM skill_packages p WHERE p.scope_key = c.scope_key) AS packages,
            (SELECT count(*)::int FROM managed_skills m WHERE m.scope_key = c.scope_key
               AND m.lifecycle_state = 'active' AND m.governance_generation = 0) AS active,
            (SELECT count(*)::int FROM document_projections d WHERE d.scope_key = c.scope_key) AS projections
     FROM scopes c WHERE c.scope_id = $1`,
    [scope],
  );
  return row;
};

const setLifecycle = (artifactId: string, state: string) =>
  query(
    service.databaseUrl,
    `UPDATE managed_skills m SET lifecycle_state = $2 FROM artifacts a
     WHERE a.artifact_key = m.artifact_key AND a.artifact_id = $1`,
    [artifactId, state],
  );

test('spec 10 scenario 18: equal fields give equal packages, stored once', async () => {
  const scope = freshScope();
  const fields = skill({ validation: ['contract tests pass'] });
  const created = await calls.createSkill(scope, fields);
  expect(created.status).toBe(201);
  const { artifact_id } = created.body;
  const head = await calls.head(scope, 'skill', artifact_id);
  expect(head.body.content).toEqual({
    name: 'openapi-change',
    description: fields.description,
    instructions: `${fields.instructions}\n\n## Validation\n\n- contract tests pass`,
    validation: [],
    package: {
      tree_digest: '99cbd3200f79883aada42df1f86f837a1389ecf9aa5462bf3be96314c94fa4ec',
      archive_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      file_count: 1,
      uncompressed_size: 190,
      archive_size: 190 + 30 + 46 + 22 + 2 * 'SKILL.md'.length,
    },
    license: null,
    compatibility: null,
    metadata: {},
    allowed_tools: null,
  });
  expect(head.body.content_digest).toBe(asDigest(digestHex(head.body.content)));
  const again = await calls.createSkill(scope, fields);
  expect(again.body.artifact_id).not.toBe(artifact_id);
  expect(await calls.skillOf(scope, again.body.artifact_id)).toEqual(head.body.content);
  expect(await rowsOf(scope)).toEqual({ packages: 1, active: 2, projections: 2 });
  const source = await service.call('get_source', {
    params: {
      scope_id: scope,
      source_type: 'content',
      source_id: created.body.sources[0]?.source_id ?? '',
    },
  });
  expect(source.body.content).toEqual(fields);
});

test('spec 10 §6.3: absent fields are stored as null or empty, and a stored content can be sent again', async () => {
  const scope = freshScope();
  const given = skill({
    license: 'Apache-2.0',
    compatibility: 'Any host\nwith a shell',
    allowed_tools: 'Bash(git:*) Read',
    metadata: JSON.parse('{"__proto__":"data","owner":"docs","empty":""}'),
    package: null,
  });
  const { body } = await calls.createSkill(scope, given);
  const content = await calls.skillOf(scope, body.artifact_id);
  expect(content).toMatchObject({ license: given.license, compatibility: given.compatibility });
  expect(Object.entries(content.metadata)).toEqual(
    expect.arrayContaining([
      ['__proto__', 'data'],
      ['owner', 'docs'],
      ['empty', ''],
    ]),
  );
  const again = await calls.createSkill(scope, content);
  expect(await calls.skillOf(scope, again.body.artifact_id)).toEqual(content);
  expect(await rowsOf(scope)).toMatchObject({ packages: 1 });
});

describe('spec 10 scenario 18: a reference to a package', () => {
  const scope = freshScope();
  const kept = async (): Promise<SkillContentInput> => {
    const { body } = await calls.createSkill(scope);
    return await calls.skillOf(scope, body.artifact_id);
  };

  test('of another Scope, or of none, is 422 at content.package and leaves nothing', async () => {
    const content = await kept();
    const elsewhere = freshScope();
    expectIssues(await post(elsewhere, content), ['content.package']);
    expect((await calls.list(elsewhere, 'skill')).body.items).toEqual([]);
    expect(await rowsOf(elsewhere)).toBeUndefined();
    const reference = { ...content.package, tree_digest: 'a'.repeat(64) };
    expectIssues(await post(scope, { ...content, package: reference }), ['content.package']);
  });

  test.each<[string, (content: SkillContentInput) => SkillContentInput]>([
    ['another name', (content) => ({ ...content, name: 'other' })],
    ['another description', (content) => ({ ...content, description: 'Other.' })],
    ['other instructions', (content) => ({ ...content, instructions: 'Other.' })],
    ['checks', (content) => ({ ...content, validation: ['one', 'two'] })],
    ['a license', (content) => ({ ...content, license: 'MIT' })],
    ['metadata', (content) => ({ ...content, metadata: { a: 'b' } })],
    ['tools', (content) => ({ ...content, allowed_tools: 'Read' })],
    [
      'another archive',
      ({ package: ref, ...rest }) => ({
        ...rest,
        package: ref && { ...ref, archive_digest: 'b'.repeat(64) },
      }),
    ],
    [
      'another size',
      ({ package: ref, ...rest }) => ({
        ...rest,
        package: ref && { ...ref, archive_size: ref.archive_size + 1 },
      }),
    ],
  ])('with %s is 422 at content.package', async (_what, change) => {
    expectIssues(await post(scope, change(await kept())), ['content.package']);
  });

  test('may come without the optional fields', async () => {
    const { license, compatibility, metadata, allowed_tools, ...rest } = await kept();
    expect([license, compatibility, metadata, allowed_tools]).toEqual([null, null, {}, null]);
    expect((await post(scope, rest)).status).toBe(201);
  });
});

describe('spec 40 §1, §5.5: invalid fields', () => {
  test.each<[string, unknown, string]>([
    ['Bad Name', { name: 'Bad Name' }, 'content.name'],
    ['a name of 65', { name: 'x'.repeat(65) }, 'content.name'],
    ['a name of 129', { name: 'x'.repeat(129) }, 'content.name'],
    ['a description of 1025', { description: 'x'.repeat(1025) }, 'content.description'],
    ['a description with a bell', { description: 'a\u0007b' }, 'content.description'],
    ['a description that begins with a space', { description: ' x' }, 'content.description'],
    ['nothing to do', { instructions: ' \n' }, 'content.instructions'],
    ['a SKILL.md over its bound', { instructions: 'é'.repeat(65_500) }, 'content.instructions'],
    ['instructions of 131073', { instructions: 'x'.repeat(131_073) }, 'content.instructions'],
    ['33 checks', { validation: Array.from({ length: 33 }, () => 'x') }, 'content.validation'],
    ['a blank check', { validation: [' '] }, 'content.validation[0]'],
    ['a blank license', { license: '' }, 'content.license'],
    ['metadata with a number', { metadata: { a: 1 } }, 'content.metadata.a'],
    ['metadata with a blank name', { metadata: { ' ': 'x' } }, 'content.metadata. '],
    ['metadata with DEL', { metadata: { a: '\u007f' } }, 'content.metadata.a'],
    [
      'metadata of 65 names',
      { metadata: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, ''])) },
      'content.metadata',
    ],
    ['metadata that is a list', { metadata: ['x'] }, 'content.metadata'],
    ['a field that there is not', { version: 1 }, 'content.version'],
  ])('%s is 422', async (_what, change, path) => {
    const scope = freshScope();
    expectIssues(await post(scope, { ...skill(), ...(change as object) }), [path]);
    expect(await rowsOf(scope)).toBeUndefined();
  });

  test('the largest valid fields are accepted', async () => {
    const scope = freshScope();
    const { body } = await calls.createSkill(
      scope,
      skill({
        name: 'x'.repeat(64),
        description: '😀'.repeat(1024),
        instructions: 'Word '.repeat(20_000),
        validation: Array.from({ length: 32 }, (_, n) => `Check ${n}`),
        metadata: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`k${n}`, 'v'.repeat(2000)])),
      }),
    );
    const { package: ref } = await calls.skillOf(scope, body.artifact_id);
    expect(ref?.file_count).toBe(1);
  });
});

test('spec 10 §6.3: a Replace keeps governance and the old package, and stores the new name', async () => {
  const scope = freshScope();
  const created = await calls.createSkill(scope);
  const { artifact_id } = created.body;
  const replaced = await calls.replaceSkill(
    scope,
    artifact_id,
    etagOf(created),
    skill({ name: 'renamed', instructions: 'Do it anew.' }),
  );
  expect(replaced.body).toMatchObject({
    revision: 2,
    content: { name: 'renamed', instructions: 'Do it anew.' },
  });
  const old = await calls.revision(scope, 'skill', artifact_id, 1);
  expect(old.body.content).toMatchObject({ name: 'openapi-change' });
  expect(await rowsOf(scope)).toEqual({ packages: 2, active: 1, projections: 1 });
  const names = await query(
    service.databaseUrl,
    'SELECT m.name FROM managed_skills m JOIN artifacts a USING (artifact_key) WHERE a.artifact_id = $1',
    [artifact_id],
  );
  expect(names).toEqual([{ name: 'renamed' }]);
});

test('spec 10 §6.3: a deprecated Skill can be replaced; a retired one is 409 and unchanged', async () => {
  const scope = freshScope();
  const { body, headers } = await calls.createSkill(scope);
  await setLifecycle(body.artifact_id, 'deprecated');
  const replaced = await calls.replaceSkill(scope, body.artifact_id, etagOf({ headers }), skill());
  expect(replaced.status).toBe(200);
  await setLifecycle(body.artifact_id, 'retired');
  const next = skill({ instructions: 'Too late.' });
  const stale = await calls.replaceSkill(scope, body.artifact_id, etagOf({ headers }), next);
  expect(stale.status).toBe(412);
  const refused = await calls.replaceSkill(scope, body.artifact_id, etagOf(replaced), next);
  expect([refused.error?.code, refused.error?.details]).toEqual([
    'governance_conflict',
    { lifecycle_state: 'retired' },
  ]);
  expect((await calls.head(scope, 'skill', body.artifact_id)).body.revision).toBe(2);
  expect((await calls.list(scope, 'skill')).body.items).toHaveLength(1);
  expect(await calls.sourceCount(scope)).toBe(2);
});

test('spec 10 scenario 13: one of 20 concurrent Replaces of a Skill succeeds', async () => {
  const scope = freshScope();
  const created = await calls.createSkill(scope);
  const replies = await race(20, (index) =>
    calls.replaceSkill(
      scope,
      created.body.artifact_id,
      etagOf(created),
      skill({ instructions: `Number ${index}.` }),
    ),
  );
  expect(countStatuses(replies)).toEqual({ 200: 1, 412: 19 });
  expect(await rowsOf(scope)).toEqual({ packages: 2, active: 1, projections: 1 });
  expect(await calls.sourceCount(scope)).toBe(2);
});

test('20 concurrent Creates with equal fields create 20 Skills and one package', async () => {
  const scope = freshScope();
  const replies = await race(20, () => calls.createSkill(scope));
  expect(countStatuses(replies)).toEqual({ 201: 20 });
  expect(await rowsOf(scope)).toEqual({ packages: 1, active: 20, projections: 20 });
});

test('spec 10 §11.3: absent fields equal null or empty ones under one Idempotency-Key', async () => {
  const scope = freshScope();
  const key = { 'Idempotency-Key': 'one' };
  const spelled = skill({
    package: null,
    license: null,
    compatibility: null,
    metadata: {},
    allowed_tools: null,
  });
  const replies = [
    await calls.createSkill(scope, skill(), key),
    await calls.createSkill(scope, spelled, key),
  ];
  expect(countStatuses(replies)).toEqual({ 201: 2 });
  expect(replies[1]?.body).toEqual(replies[0]?.body);
  const other = await calls.createSkill(scope, skill({ license: 'MIT' }), key);
  expect(other.error?.code).toBe('artifact_conflict');
});

test('spec 40 §5.6: a damaged package is 500, and nothing is written', async () => {
  const scope = freshScope();
  const { body } = await calls.createSkill(scope);
  const content = await calls.skillOf(scope, body.artifact_id);
  await query(
    service.databaseUrl,
    `UPDATE skill_packages p SET archive = set_byte(archive, 100, get_byte(archive, 100) # 1)
     FROM scopes c WHERE c.scope_key = p.scope_key AND c.scope_id = $1`,
    [scope],
  );
  expect((await post(scope, skill())).status).toBe(500);
  expect((await post(scope, content)).status).toBe(500);
  expect((await calls.list(scope, 'skill')).body.items).toHaveLength(1);
  expect(await calls.sourceCount(scope)).toBe(1);
});
