import { waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { etagOf } from '../support/artifacts.ts';
import { documentCalls, experience, skill } from '../support/documents.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { reviewCalls, sourceRef } from '../support/review.ts';
import { startService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const skills = skillCalls(service);
const review = reviewCalls(service);
const documents = documentCalls(service);

afterAll(() => service.stop());

const create = async (scope: string, name: string, instructions = 'Do it.') => {
  const { body } = await documents.createSkill(scope, skill({ name, instructions }));
  const { family, artifact_id, revision } = body;
  return { family, artifact_id, revision };
};

const unknown = { family: 'skill', artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26', revision: 1 };

describe('spec 40 §6.4: the library', () => {
  test('lists active heads by name bytes and then by id, and the limit cuts after the order', async () => {
    const scope = freshScope();
    const twins = [await create(scope, 'b'), await create(scope, 'b')].map(({ artifact_id }) => artifact_id);
    await create(scope, 'a-b');
    await create(scope, 'a');
    expect(await skills.names(scope)).toEqual(['a', 'a-b', 'b', 'b']);
    const listed = (await skills.library(scope)).body.skills.map(({ artifact }) => artifact.artifact_id);
    expect(listed.slice(2)).toEqual(twins.toSorted());
    expect(await skills.names(scope, { limit: 2 })).toEqual(['a', 'a-b']);
    expect(await skills.names(freshScope())).toEqual([]);
  });

  test('shows the head with its evidence and its governance', async () => {
    const scope = freshScope();
    const head = await skills.approved(scope, archiveOf(skillFile('shown')));
    const { body } = await skills.library(scope);
    const { body: revision } = await skills.get(scope, head);
    expect(body.skills).toEqual([
      {
        ...revision,
        governance: {
          artifact: head,
          lifecycle_state: 'active',
          replacement_artifact_id: null,
          governance_generation: 0,
        },
      },
    ]);
  });

  test('searches fields, metadata, paths, SKILL.md and references, and neither scripts nor old revisions', async () => {
    const scope = freshScope();
    const front =
      'name: everything\ndescription: alphaword\nlicense: bravoword\ncompatibility: charlieword\n' +
      'metadata: {deltaword: echoword}\nallowed-tools: foxtrotword\nother: golfword\n';
    await skills.approved(
      scope,
      archiveOf(
        { name: 'SKILL.md', content: `---\n${front}---\n\nhotelword\n` },
        { name: 'references/india_word/a.md', content: 'julietword' },
        { name: 'references/b.txt', content: 'kiloword' },
        { name: 'references/c.bin', content: 'limaword' },
        { name: 'references/large.md', content: `${'x '.repeat(66_000)}mikeword` },
        { name: 'references/latin.md', content: Buffer.from([0x6e, 0xe9, 0x20, 0x78]) },
        { name: 'scripts/run.sh', content: 'novemberword' },
      ),
    );
    for (const word of 'alpha bravo charlie delta echo foxtrot golf hotel juliet kilo'.split(' ')) {
      expect(await skills.names(scope, { query: `${word}word` }), word).toEqual(['everything']);
    }
    for (const path of ['india_word', 'run', 'scripts', 'latin']) {
      expect(await skills.names(scope, { query: path }), path).toEqual(['everything']);
    }
    for (const word of 'lima mike november'.split(' ')) {
      expect(await skills.names(scope, { query: `${word}word` }), word).toEqual([]);
    }
    const head = await skills.library(scope);
    const target = head.body.skills[0]?.artifact ?? unknown;
    await skills.approved(scope, archiveOf(skillFile('renewed', 'oscarword')), { target });
    expect(await skills.names(scope, { query: 'hotelword' })).toEqual([]);
    expect(await skills.names(scope, { query: 'oscarword' })).toEqual(['renewed']);
  });

  test('stops searching files in canonical order at 262,144 bytes', async () => {
    const scope = freshScope();
    const reference = (name: string, word: string, bytes: number) => ({
      name: `references/${name}.md`,
      content: `${word} `.padEnd(bytes, 'x '),
    });
    await skills.approved(
      scope,
      archiveOf(
        skillFile('bounded'),
        reference('a', 'firstword', 131_072),
        reference('b', 'secondword', 130_000),
        reference('c', 'thirdword', 5_000),
        reference('d', 'fourthword', 500),
      ),
    );
    expect(await skills.names(scope, { query: 'firstword' })).toEqual(['bounded']);
    expect(await skills.names(scope, { query: 'secondword' })).toEqual(['bounded']);
    expect(await skills.names(scope, { query: 'thirdword' })).toEqual([]);
    expect(await skills.names(scope, { query: 'fourthword' })).toEqual(['bounded']);
  });

  test('finds a head by one word of many, and the best one first', async () => {
    const scope = freshScope();
    await create(scope, 'one', 'harbour and nothing else of it');
    await create(scope, 'both', 'harbour pilot');
    await create(scope, 'none', 'tide table');
    expect(await skills.names(scope, { query: 'harbour pilot quay crane buoy' })).toEqual(['both', 'one']);
    expect(await skills.names(scope, { query: 'harbour pilot', limit: 1 })).toEqual(['both']);
    expect(await skills.names(scope, { query: '!!!' })).toEqual([]);
    expect((await skills.names(scope, { query: 'and' })).length).toBeGreaterThan(0);
    expect(await skills.names(freshScope(), { query: 'harbour' })).toEqual([]);
  });
});

test('spec 40 scenario 4: a pending Skill is in no library; after the approval it is listed and found', async () => {
  const scope = freshScope();
  const { body } = await skills.upload(scope, archiveOf(skillFile('lighthouse', 'fresnelword')));
  expect(await skills.names(scope)).toEqual([]);
  expect(await skills.names(scope, { query: 'fresnelword' })).toEqual([]);
  await review.approve(scope, body.candidate_id);
  expect(await skills.names(scope)).toEqual(['lighthouse']);
  expect(await skills.names(scope, { query: 'fresnelword' })).toEqual(['lighthouse']);
});

describe('spec 40 scenario 24: the lifecycle', () => {
  test('spec 40 §6.5: is checked in order', async () => {
    const scope = freshScope();
    const [first, second, retired] = [
      await create(scope, 'first'),
      await create(scope, 'second'),
      await create(scope, 'retired'),
    ];
    await skills.lifecycle(scope, retired, 0, 'retired');
    const codeOf = async (reply: ReturnType<typeof skills.lifecycle>) => {
      const { error } = await reply;
      return [error?.code, error?.details];
    };
    const send = (body: object) =>
      service.send('POST', '/v1/skill/lifecycle', {
        scope_id: scope,
        artifact_id: first.artifact_id,
        expected_generation: 0,
        ...body,
      });
    const path = ['replacement_artifact_id'];
    const self = { lifecycle_state: 'deprecated', replacement_artifact_id: first.artifact_id };
    expectIssues(await send(self), path);
    expectIssues(await send({ ...self, artifact_id: 'unknown', lifecycle_state: 'retired' }), path);
    expect(await codeOf(skills.lifecycle(scope, unknown, 0, 'retired'))).toEqual(['artifact_not_found', {}]);
    expect(await codeOf(skills.lifecycle(freshScope(), first, 0, 'retired'))).toEqual([
      'artifact_not_found',
      {},
    ]);
    expect(await codeOf(skills.lifecycle(scope, retired, 7, 'deprecated', 'unknown'))).toEqual([
      'governance_conflict',
      { expected_generation: 7, current_generation: 1, lifecycle_state: 'retired' },
    ]);
    expect(await codeOf(skills.lifecycle(scope, retired, 1, 'deprecated', 'unknown'))).toEqual([
      'governance_conflict',
      { lifecycle_state: 'retired', reason: 'transition' },
    ]);
    expect(await codeOf(skills.lifecycle(scope, first, 0, 'deprecated', 'unknown'))).toEqual([
      'artifact_not_found',
      { artifact_id: 'unknown' },
    ]);
    expect(await codeOf(skills.lifecycle(scope, first, 0, 'deprecated', retired.artifact_id))).toEqual([
      'governance_conflict',
      { reason: 'replacement_retired', replacement_artifact_id: retired.artifact_id },
    ]);
    const deprecated = await skills.lifecycle(scope, first, 0, 'deprecated', second.artifact_id);
    expect(deprecated.body).toEqual({
      artifact: first,
      lifecycle_state: 'deprecated',
      replacement_artifact_id: second.artifact_id,
      governance_generation: 1,
    });
  });

  test('a state in force changes nothing, and leaving deprecated clears the replacement', async () => {
    const scope = freshScope();
    const [first, second] = [await create(scope, 'first'), await create(scope, 'second')];
    expect((await skills.lifecycle(scope, first, 0, 'active')).body.governance_generation).toBe(0);
    await skills.lifecycle(scope, first, 0, 'deprecated', second.artifact_id);
    const again = await skills.lifecycle(scope, first, 1, 'deprecated', second.artifact_id);
    expect(again.body.governance_generation).toBe(1);
    const without = await skills.lifecycle(scope, first, 1, 'deprecated');
    expect(without.body).toMatchObject({ governance_generation: 2, replacement_artifact_id: null });
    await skills.lifecycle(scope, first, 2, 'deprecated', second.artifact_id);
    const active = await skills.lifecycle(scope, first, 3, 'active');
    expect(active.body).toMatchObject({ governance_generation: 4, replacement_artifact_id: null });
    await skills.lifecycle(scope, first, 4, 'retired');
    expect((await skills.lifecycle(scope, first, 5, 'retired')).body.governance_generation).toBe(5);
  });

  test('deprecated Skills are listed on request, retired ones never; all stay readable', async () => {
    const scope = freshScope();
    const [active, deprecated, retired] = [
      await create(scope, 'active', 'commonword'),
      await create(scope, 'deprecated', 'commonword'),
      await create(scope, 'retired', 'commonword retiredword'),
    ];
    await skills.lifecycle(scope, deprecated, 0, 'deprecated', active.artifact_id);
    await skills.lifecycle(scope, retired, 0, 'retired');
    for (const query of [{}, { query: 'commonword' }]) {
      expect(await skills.names(scope, query)).toEqual(['active']);
      expect((await skills.names(scope, { ...query, include_deprecated: true })).toSorted()).toEqual([
        'active',
        'deprecated',
      ]);
    }
    expect(await skills.names(scope, { query: 'retiredword', include_deprecated: true })).toEqual([]);
    const { body } = await skills.library(scope, { include_deprecated: true });
    expect(body.skills.map(({ governance }) => governance.replacement_artifact_id)).toEqual([
      null,
      active.artifact_id,
    ]);
    expect((await skills.get(scope, retired)).body.content.name).toBe('retired');
    expect((await skills.download(scope, retired)).status).toBe(200);
    const head = await documents.head(scope, 'skill', retired.artifact_id);
    const replaced = await documents.replaceSkill(scope, retired.artifact_id, etagOf(head), skill());
    expect(replaced.error?.details).toEqual({ lifecycle_state: 'retired' });
  });

  test('a new revision keeps the generation', async () => {
    const scope = freshScope();
    const head = await skills.approved(scope, archiveOf(skillFile('kept')));
    await skills.lifecycle(scope, head, 0, 'deprecated');
    const next = await skills.approved(scope, archiveOf(skillFile('kept', 'More.')), { target: head });
    const { body } = await skills.library(scope, { include_deprecated: true });
    expect(body.skills[0]?.governance).toMatchObject({ artifact: next, governance_generation: 1 });
  });

  test('a change that waits for a Replace names the new head', async () => {
    const scope = freshScope();
    const { body, headers } = await documents.createSkill(scope, skill({ name: 'waited' }));
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    const waits = async (count: number) => (await query(service.databaseUrl, waiting)).length === count;
    // The Replace has locked the Skill when it comes to this lock.
    const lock = new pg.Client({ connectionString: service.databaseUrl });
    await lock.connect();
    try {
      await lock.query('BEGIN; LOCK TABLE skill_packages IN EXCLUSIVE MODE');
      const replaced = documents.replaceSkill(
        scope,
        body.artifact_id,
        etagOf({ headers }),
        skill({ name: 'waited', instructions: 'More.' }),
      );
      await waitUntil(() => waits(1));
      const changed = skills.lifecycle(scope, body, 0, 'deprecated');
      await waitUntil(() => waits(2));
      await lock.query('COMMIT');
      expect((await replaced).body.revision).toBe(2);
      expect((await changed).body).toMatchObject({ artifact: { revision: 2 }, governance_generation: 1 });
    } finally {
      await lock.end();
    }
  });

  test('of 20 changes at once with one generation, one succeeds', async () => {
    const scope = freshScope();
    const head = await create(scope, 'raced');
    const replies = await race(20, (index) =>
      skills.lifecycle(scope, head, 0, index % 2 === 0 ? 'deprecated' : 'retired'),
    );
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 19 });
  });

  test('retiring and replacing at once never leaves a retired Skill in the library', async () => {
    const scope = freshScope();
    for (let round = 0; round < 10; round += 1) {
      const name = `round-${round}`;
      const { body, headers } = await documents.createSkill(scope, skill({ name }));
      const [retired, replaced] = await Promise.all([
        skills.lifecycle(scope, body, 0, 'retired'),
        documents.replaceSkill(
          scope,
          body.artifact_id,
          etagOf({ headers }),
          skill({ name, instructions: 'raceword' }),
        ),
      ]);
      expect(retired.status).toBe(200);
      expect([200, 409]).toContain(replaced.status);
    }
    expect(await skills.names(scope, { query: 'raceword', include_deprecated: true })).toEqual([]);
    expect(await skills.names(scope, { include_deprecated: true })).toEqual([]);
  });
});

describe('spec 40 scenario 42: exact reads show the evidence', () => {
  test('of an approved revision that of its Candidate, of a Create or Replace no Source', async () => {
    const scope = freshScope();
    await capture(service, scope, 'source');
    const cited = { source_refs: [sourceRef('source')] };
    const lesson = await review.propose(scope, cited);
    const approved = (await review.approve(scope, lesson.body.candidate_id)).body.result_artifact ?? unknown;
    const read = (artifact: typeof unknown) =>
      service.call('get_experience', { body: { scope_id: scope, artifact } });
    expect((await read(approved)).body).toEqual({
      artifact: approved,
      content: experience(),
      source_refs: cited.source_refs,
      artifact_refs: [],
    });
    const fromLesson = await skills.approvedFields(scope, { ...cited, artifact_refs: [approved] }, skill());
    expect((await skills.get(scope, fromLesson)).body).toMatchObject({
      source_refs: cited.source_refs,
      artifact_refs: [approved],
    });
    const head = await documents.head(scope, 'skill', fromLesson.artifact_id);
    expect(head.body.sources).toHaveLength(2);
    await documents.replaceSkill(scope, fromLesson.artifact_id, etagOf(head), skill({ name: 'replaced' }));
    const replaced = await skills.get(scope, { ...fromLesson, revision: 2 });
    expect(replaced.body).toMatchObject({ source_refs: [], artifact_refs: [approved] });
    expect((await skills.get(scope, fromLesson)).body.content.name).toBe('openapi-change');
    const { body } = await documents.createExperience(scope);
    const created = await read({ family: 'experience', artifact_id: body.artifact_id, revision: 1 });
    expect(created.body).toMatchObject({ source_refs: [], artifact_refs: [] });
  });

  test('and 404 alike for what the Scope does not have', async () => {
    const scope = freshScope();
    const head = await create(scope, 'here');
    for (const path of ['/v1/skill/get', '/v1/skill/package/manifest', '/v1/skill/package/download']) {
      const ask = async (artifact: object, scope_id = scope) => {
        const { json } = await service.send('POST', path, { scope_id, artifact });
        return (json as { error: unknown }).error;
      };
      const expected = await ask(unknown);
      expect(expected).toMatchObject({ code: 'artifact_not_found', details: {} });
      expect(await ask({ ...head, revision: 2 })).toEqual(expected);
      expect(await ask({ ...head, revision: Number.MAX_SAFE_INTEGER })).toEqual(expected);
      expect(await ask({ ...head, family: 'experience' })).toEqual(expected);
      expect(await ask(head, freshScope())).toEqual(expected);
    }
    const asExperience = await service.send('POST', '/v1/experience/get', {
      scope_id: scope,
      artifact: head,
    });
    expect(asExperience.status).toBe(404);
  });
});
