import { scopePath } from '@continuity/shared/handlers';
import { afterAll, describe, expect, test } from 'vitest';
import { artifactCalls, etagOf } from '../support/artifacts.ts';
import { documentCalls, experience, skill } from '../support/documents.ts';
import { cite, handoffCalls, handoffContent, handoffRef, prepared, stated } from '../support/handoff.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const calls = documentCalls(service);
const handoffs = handoffCalls(service);

afterAll(() => service.stop());

type Family = 'memory' | 'experience' | 'skill' | 'handoff';

const address = (scope_id: string, family: Family, artifact_id: string, revision = 1) => ({
  scope_id,
  artifact: { family, artifact_id, revision },
});

type Address = ReturnType<typeof address>;

const publish = (source: Address, target_scope_id: string, idempotency_key = 'key') =>
  service.call('publish_artifact', { body: { source, target_scope_id, idempotency_key } });

/** A Scope that exists and holds nothing. */
async function makeScope(): Promise<string> {
  const { body } = await service.call('create_scope', {
    body: { title: 'Target', summary: 'For publications.', idempotency_key: freshScope() },
  });
  return body.scope_id;
}

async function makeExperience(lesson = 'Regenerate first.') {
  const scope = freshScope();
  const { body, headers } = await calls.createExperience(scope, experience({ lesson }));
  return { scope, id: body.artifact_id, etag: etagOf({ headers }) };
}

/** Content of the Source of a published revision. */
async function recordOf({ scope_id, artifact }: Address) {
  const { body } = await service.call('get_artifact_revision', {
    params: { scope_id, family: artifact.family, artifact_id: artifact.artifact_id, revision: '1' },
  });
  expect(body.artifacts).toEqual([]);
  expect(body.sources).toHaveLength(1);
  const source = await service.call('get_source', {
    params: { scope_id, source_type: 'content', source_id: body.sources[0]?.source_id ?? '' },
  });
  return source.body.content;
}

test('spec 10 scenario 25: an older revision becomes revision 1 of the target, with its origin', async () => {
  const { scope, id, etag } = await makeExperience();
  const second = await calls.replaceExperience(scope, id, etag, experience({ lesson: 'Second.' }));
  await calls.replaceExperience(scope, id, etagOf(second), experience({ lesson: 'Third.' }));
  const target = await makeScope();
  const source = address(scope, 'experience', id, 1);
  const published = await publish(source, target);
  expect(published.status).toBe(201);
  const { artifact_id } = published.body.target.artifact;
  const first = await calls.revision(scope, 'experience', id, 1);
  expect(published.body).toEqual({
    source,
    target: address(target, 'experience', artifact_id),
    content_digest: first.body.content_digest.replace('sha256:', ''),
  });
  expect(published.headers.get('location')).toBe(scopePath(target, 'artifacts', 'experience', artifact_id));
  const copy = await calls.head(target, 'experience', artifact_id);
  expect(copy.body).toMatchObject({
    revision: 1,
    content: first.body.content,
    content_digest: first.body.content_digest,
  });
  const record = {
    schema: 'service.artifact-publication.v1',
    source,
    origin: source,
    content_digest: first.body.content_digest,
  };
  expect(await recordOf(address(target, 'experience', artifact_id))).toEqual(record);

  const onward = await makeScope();
  const middle = address(target, 'experience', artifact_id);
  const further = await publish(middle, onward);
  const last = address(onward, 'experience', further.body.target.artifact.artifact_id);
  expect(await recordOf(last)).toEqual({ ...record, source: middle });

  // A revision that was written in the target was published from nowhere.
  const replaced = await calls.replaceExperience(target, artifact_id, etagOf(copy), experience());
  const own = address(target, 'experience', artifact_id, replaced.body.revision);
  const again = await publish(own, onward, 'own');
  expect(await recordOf(address(onward, 'experience', again.body.target.artifact.artifact_id))).toMatchObject(
    { source: own, origin: own },
  );
  expect((await calls.head(scope, 'experience', id)).body.revision).toBe(3);
});

describe('spec 10 §7.1.3: the key of a target Scope', () => {
  test('repeats the first answer after changes of target and source', async () => {
    const { scope, id, etag } = await makeExperience();
    const target = await makeScope();
    const first = await publish(address(scope, 'experience', id), target);
    const { artifact_id } = first.body.target.artifact;
    await calls.replaceExperience(scope, id, etag, experience({ lesson: 'Newer.' }));
    const head = await calls.head(target, 'experience', artifact_id);
    await calls.replaceExperience(target, artifact_id, etagOf(head), experience({ lesson: 'Own.' }));
    const again = await publish(address(scope, 'experience', id), target);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await calls.sourceCount(target)).toBe(2);
  });

  test('is 409 for another source, even one that does not exist', async () => {
    const { scope, id } = await makeExperience();
    const target = await makeScope();
    const first = await publish(address(scope, 'experience', id), target);
    const others = [
      address(scope, 'experience', id, 2),
      address(freshScope(), 'experience', id),
      address(scope, 'skill', id),
    ];
    for (const other of others) {
      const refused = await publish(other, target);
      expect([refused.error?.code, refused.error?.details]).toEqual([
        'publication_conflict',
        { current: first.body },
      ]);
    }
  });

  test('is valid for one target: another key or target creates another Artifact', async () => {
    const { scope, id } = await makeExperience();
    const source = address(scope, 'experience', id);
    const [one, other] = [await makeScope(), await makeScope()];
    const made = [
      await publish(source, one),
      await publish(source, one, 'second'),
      await publish(source, other),
    ];
    expect(new Set(made.map(({ body }) => body.target.artifact.artifact_id)).size).toBe(3);
  });

  test('gives 50 concurrent requests one Artifact and equal answers', async () => {
    const { scope, id } = await makeExperience();
    const target = await makeScope();
    const replies = await race(50, () => publish(address(scope, 'experience', id), target));
    expect(countStatuses(replies)).toEqual({ 201: 50 });
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await calls.list(target, 'experience')).body.items).toHaveLength(1);
    expect(await calls.sourceCount(target)).toBe(1);
  });

  test('is 409 for the slower of two concurrent sources', async () => {
    const sources = [await makeExperience('One.'), await makeExperience('Two.')];
    const target = await makeScope();
    const replies = await race(20, (index) => {
      const { scope, id } = sources[index % 2] ?? { scope: '', id: '' };
      return publish(address(scope, 'experience', id), target);
    });
    expect(countStatuses(replies)).toEqual({ 201: 10, 409: 10 });
    expect((await calls.list(target, 'experience')).body.items).toHaveLength(1);
  });
});

test('concurrent publications in both directions all succeed', async () => {
  const [one, other] = [await makeExperience('One.'), await makeExperience('Two.')];
  const replies = await race(40, (index) =>
    index % 2 === 0
      ? publish(address(one.scope, 'experience', one.id), other.scope, `key ${index}`)
      : publish(address(other.scope, 'experience', other.id), one.scope, `key ${index}`),
  );
  expect(countStatuses(replies)).toEqual({ 201: 40 });
  expect(await calls.sourceCount(one.scope)).toBe(21);
});

describe('spec 10 §7: rejected publications', () => {
  test('a Memory, even an unknown one', async () => {
    const scope = freshScope();
    await artifactCalls(service).create(scope, [{ kind: 'fact', text: 'x' }]);
    const target = await makeScope();
    for (const source of [
      address(scope, 'memory', 'memory'),
      address(freshScope(), 'memory', 'unknown', 9),
    ]) {
      const refused = await publish(source, target);
      expect([refused.error?.code, refused.error?.details]).toEqual([
        'capability_not_supported',
        { capability: 'memory_publication' },
      ]);
    }
    expect(await calls.sourceCount(target)).toBe(0);
  });

  test('an unknown Scope, which stays unknown', async () => {
    const { scope, id } = await makeExperience();
    const unknown = freshScope();
    const refused = await publish(address(scope, 'experience', id), unknown);
    expect([refused.error?.code, refused.error?.details]).toEqual(['scope_not_found', { scope_id: unknown }]);
    const elsewhere = await publish(address(unknown, 'experience', id), scope);
    expect(elsewhere.error?.details).toEqual({ scope_id: unknown });
    const both = await publish(address(unknown, 'experience', id), freshScope());
    expect(both.error?.details).toEqual({ scope_id: unknown });
    expect((await service.call('get_scope', { params: { scope_id: unknown } })).status).toBe(404);
  });

  test('an unknown revision, an unknown id, and another Family', async () => {
    const { scope, id } = await makeExperience();
    const target = await makeScope();
    const sources = [
      address(scope, 'experience', id, 2),
      address(scope, 'experience', id, Number.MAX_SAFE_INTEGER),
      address(scope, 'experience', 'unknown'),
      address(scope, 'skill', id),
      address(scope, 'handoff', id),
    ];
    for (const source of sources) {
      expect((await publish(source, target)).error?.code).toBe('artifact_not_found');
    }
    expect(await calls.sourceCount(target)).toBe(0);
  });

  test('the same Scope, a Family outside the enum, and bounds of the key', async () => {
    const { scope, id } = await makeExperience();
    const target = await makeScope();
    const source = address(scope, 'experience', id);
    const send = (change: object) =>
      service.send('POST', '/v1/artifact-publications', {
        source,
        target_scope_id: target,
        idempotency_key: 'key',
        ...change,
      });
    expectIssues(await send({ target_scope_id: scope }), ['target_scope_id']);
    expectIssues(await send({ source: { ...source, artifact: { ...source.artifact, family: 'notes' } } }), [
      'source.artifact.family',
    ]);
    expectIssues(await send({ source: { ...source, artifact: { ...source.artifact, revision: 0 } } }), [
      'source.artifact.revision',
    ]);
    for (const key of ['', ' ', 'x'.repeat(257), 'a\0b', null]) {
      expectIssues(await send({ idempotency_key: key }), ['idempotency_key']);
    }
    expect((await send({ idempotency_key: '😀'.repeat(256) })).status).toBe(201);
  });
});

describe('spec 10 §7.1.7: a Handoff', () => {
  const confirmed = { live_state: 'confirmed', capability: 'confirmed', authorization: 'confirmed' } as const;

  test('becomes that of the target, and its evidence is that of the source Scope', async () => {
    const scope = freshScope();
    await capture(service, scope, 'only here');
    const content = handoffContent({ state: [stated('Seen.', cite('only here'))] });
    await service.call('create_artifact', {
      params: { scope_id: scope },
      body: { family: 'handoff', content },
    });
    const [target, onward] = [await makeScope(), await makeScope()];
    // An equal id of the target is something else.
    await capture(service, target, 'other');
    const published = await publish(address(scope, 'handoff', 'handoff'), target);
    expect(published.body.target).toEqual(address(target, 'handoff', 'handoff'));
    await publish(address(target, 'handoff', 'handoff'), onward);
    for (const place of [target, onward]) {
      for (const resolution of [await handoffs.latest(place), await handoffs.exact(place, 1)]) {
        expect(resolution.body).toMatchObject({
          scope_id: place,
          content,
          evidence_checks: [{ status: 'available', unavailable_evidence: [] }],
        });
      }
    }
    const accepted = await handoffs.acknowledge({
      scope_id: onward,
      source_id: 'receipt',
      receiver: 'night shift',
      status: 'accepted',
      selection: 'exact',
      revision: handoffRef(1),
      receiver_checks: confirmed,
    });
    expect(accepted.status).toBe(200);
  });

  test('is checked in the target when the target replaces, commits or prepares it', async () => {
    const scope = freshScope();
    await capture(service, scope, 'only here');
    const content = handoffContent({ state: [stated('Seen.', cite('only here'))] });
    await service.call('create_artifact', {
      params: { scope_id: scope },
      body: { family: 'handoff', content },
    });
    const target = await makeScope();
    await publish(address(scope, 'handoff', 'handoff'), target);
    const head = await calls.head(target, 'handoff', 'handoff');
    const params = { scope_id: target, family: 'handoff' as const, artifact_id: 'handoff' };
    const replace = () =>
      service.call('replace_artifact', { params, headers: { 'If-Match': etagOf(head) }, body: { content } });
    expect((await replace()).error?.code).toBe('handoff_evidence_not_found');
    const resumed = await handoffs.resume(target, prepared(target, 1, content));
    expect(resumed.body.evidence_checks).toMatchObject([{ status: 'unavailable' }]);
    const next = { ...content, objective: 'The next one.' };
    const committed = await handoffs.commit(target, prepared(target, 1, next));
    expect(committed.error?.code).toBe('handoff_evidence_not_found');
    await capture(service, target, 'only here', 'of the target');
    expect((await replace()).status).toBe(200);
    const latest = await handoffs.latest(target);
    expect(latest.body).toMatchObject({ selected_revision: { revision: 2 } });
    expect(latest.body.evidence_checks).toMatchObject([{ status: 'available' }]);
  });

  test('spec 10 scenario 25: into a Scope with a Handoff is 409, and that Handoff stays', async () => {
    const [scope, target] = [freshScope(), freshScope()];
    for (const place of [scope, target]) await handoffs.ground(place);
    for (const place of [scope, target])
      await handoffs.commit(place, prepared(place, 0, { objective: place }));
    const before = await calls.head(target, 'handoff', 'handoff');
    const refused = await publish(address(scope, 'handoff', 'handoff'), target);
    expect([refused.error?.code, refused.error?.details]).toEqual([
      'artifact_exists',
      { current: handoffRef(1), current_etag: etagOf(before) },
    ]);
    expect((await calls.head(target, 'handoff', 'handoff')).body).toEqual(before.body);
    expect(await calls.sourceCount(target)).toBe(1);
  });

  test('is published once by 20 concurrent requests: equal ones are 201, those with another key 409', async () => {
    const scope = freshScope();
    await handoffs.ground(scope);
    await handoffs.commit(scope, prepared(scope, 0));
    const target = await makeScope();
    const replies = await race(20, (index) =>
      publish(address(scope, 'handoff', 'handoff'), target, `key ${index % 2}`),
    );
    expect(countStatuses(replies)).toEqual({ 201: 10, 409: 10 });
    expect(await calls.sourceCount(target)).toBe(1);
  });
});

describe('spec 10 §7.1.8: a Skill', () => {
  test('is copied with its package and gets its own governance', async () => {
    const scope = freshScope();
    const { body } = await calls.createSkill(scope, skill({ license: 'MIT' }));
    const target = await makeScope();
    const published = await publish(address(scope, 'skill', body.artifact_id), target);
    const { artifact_id } = published.body.target.artifact;
    const content = await calls.skillOf(target, artifact_id);
    expect(content).toEqual(await calls.skillOf(scope, body.artifact_id));
    const rows = await query(
      service.databaseUrl,
      `SELECT p.archive = o.archive AS is_equal, m.name, m.lifecycle_state, m.governance_generation
       FROM scopes c JOIN skill_packages p USING (tenant_id, scope_key) JOIN managed_skills m USING (tenant_id, scope_key)
       JOIN skill_packages o ON o.tree_digest = p.tree_digest AND o.scope_key <> p.scope_key
       JOIN scopes s ON s.scope_key = o.scope_key AND s.scope_id = $2
       WHERE c.scope_id = $1`,
      [target, scope],
    );
    expect(rows).toEqual([
      { is_equal: true, name: content.name, lifecycle_state: 'active', governance_generation: 0 },
    ]);
    // The package is the target's own now.
    expect((await calls.createSkill(target, content)).status).toBe(201);
  });

  test('that is deprecated can be published; a retired one is 409', async () => {
    const scope = freshScope();
    const { body } = await calls.createSkill(scope);
    const target = await makeScope();
    const source = address(scope, 'skill', body.artifact_id);
    const setLifecycle = (state: string) =>
      query(
        service.databaseUrl,
        `UPDATE managed_skills m SET lifecycle_state = $2 FROM artifacts a
         WHERE a.artifact_key = m.artifact_key AND a.artifact_id = $1`,
        [body.artifact_id, state],
      );
    await setLifecycle('deprecated');
    expect((await publish(source, target)).status).toBe(201);
    await setLifecycle('retired');
    expect((await publish(source, target)).status).toBe(201);
    const refused = await publish(source, target, 'another key');
    expect([refused.error?.code, refused.error?.details]).toEqual([
      'governance_conflict',
      { lifecycle_state: 'retired' },
    ]);
    expect(await calls.sourceCount(target)).toBe(1);
  });
});
