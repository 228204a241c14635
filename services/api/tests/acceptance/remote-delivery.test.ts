import { createHash } from 'node:crypto';
import type { ArtifactRef } from '@continuity/contract';
import type { RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { afterAll, describe, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { expectIssues, freshScope } from '../support/memory.ts';
import { bearing, failed, observationOf, receiptOf, remoteCalls } from '../support/remote-skills.ts';
import { startService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
const remote = remoteCalls(service);
const skills = skillCalls(service);

afterAll(() => service.stop());

const other = '0'.repeat(64);

/** Fields of an observation that are wrong. */
type BadFields = Partial<Omit<RemoteSkillObservation, 'artifact'>> & { artifact?: Partial<ArtifactRef> };

/** An enrolled target in a Scope of its own, with a Skill that is published to it. */
async function published(name = 'release-check') {
  const scope = freshScope();
  const skill = await skills.approved(scope, archiveOf(skillFile(name)));
  const target = await remote.enrolled(scope);
  const { body } = await remote.publish(scope, target.target_id, skill);
  return { scope, skill, publication: body, ...target };
}

/** As `published`, and installed. */
async function installed(name?: string) {
  const delivered = await published(name);
  const observation = await remote.applied(delivered.credential);
  return { ...delivered, observation, rowOf: () => rowOf(delivered) };
}

const rowOf = ({ scope, target_id, skill }: { scope: string; target_id: string; skill: ArtifactRef }) =>
  remote.publication(scope, target_id, skill);

/** Approves the next revision of a Skill. */
const revise = (scope: string, skill: ArtifactRef, name = 'release-check', text = 'Do it twice.') =>
  skills.approved(scope, archiveOf(skillFile(name, text)), { target: skill });

describe('spec 40 scenario 33: publish, reconcile, download', () => {
  test('a first publication is pending, and gives one install, whose package can be had exactly', async () => {
    const { scope, skill, target_id, credential, publication } = await published();
    expect(publication).toMatchObject({
      desired_state: 'published',
      desired_revision: 1,
      state: 'pending',
      generation: 0,
      observed_revision: null,
      observed_at: null,
    });
    const action = await remote.action(credential);
    const { content } = (await skills.get(scope, skill)).body;
    expect(action).toEqual({
      operation: 'install',
      generation: 0,
      artifact: skill,
      tree_digest: content.package?.tree_digest,
      skill_name: 'release-check',
      package: content.package,
      expected_local: null,
      blocked_error_code: null,
    });
    const { body } = await remote.download(credential, action);
    expect(body.package).toEqual(action.package);
    const archive = Buffer.from(body.archive_base64, 'base64');
    expect(createHash('sha256').update(archive).digest('hex')).toBe(body.package.archive_digest);
    expect(body).toEqual((await skills.download(scope, skill)).body);
    expect(await remote.publication(scope, target_id, skill)).toEqual(publication);
  });

  test('any other generation, revision, family or digest is 409 with the current generation', async () => {
    const { credential, skill } = await published();
    const action = await remote.action(credential);
    const ref = action.package;
    if (ref === null) throw new Error('The install has no package.');
    const wrong = [
      { ...action, generation: 1 },
      { ...action, generation: 2 ** 53 - 1 },
      { ...action, artifact: { ...skill, revision: 2 } },
      { ...action, artifact: { ...skill, revision: 2 ** 53 - 1 } },
      { ...action, artifact: { ...skill, family: 'experience' } },
      { ...action, package: { ...ref, tree_digest: other } },
      { ...action, package: { ...ref, archive_digest: other } },
      { ...action, package: { ...ref, file_count: 2 } },
      { ...action, package: { ...ref, uncompressed_size: 1 } },
      { ...action, package: { ...ref, archive_size: 1 } },
    ];
    for (const asked of wrong) {
      const { error } = await remote.download(credential, asked);
      expect(error).toMatchObject({
        code: 'remote_publication_conflict',
        details: { current_generation: 0 },
      });
    }
    expect((await remote.download(credential, action)).status).toBe(200);
  });
});

describe('spec 40 scenario 34: receipts by generation', () => {
  test('a repeat and a late failure change nothing, an old one is stale, a future one is a conflict', async () => {
    const { scope, skill, target_id, credential } = await published();
    const row = () => remote.publication(scope, target_id, skill);
    const action = await remote.action(credential);
    const first = await remote.receipt(credential, action);
    expect(first.body).toMatchObject({ accepted: true, stale: false, publication: { state: 'current' } });
    expect(first.body.publication).toEqual(await row());
    const before = await row();
    expect(before).toMatchObject({ observed_revision: 1, observed_generation: 0, last_error_code: null });
    for (const fields of [{}, failed('delivery_failed'), failed('drifted')]) {
      const again = await remote.receipt(credential, action, fields);
      expect(again.body).toEqual({ accepted: true, stale: false, publication: before });
    }
    const future = await remote.receipt(credential, action, { generation: 1 });
    expect(future.error).toMatchObject({
      code: 'remote_publication_conflict',
      details: { current_generation: 0 },
    });
    expect(await row()).toEqual(before);

    const second = await revise(scope, skill);
    await remote.publish(scope, target_id, second, 0);
    const pending = await row();
    expect(pending).toMatchObject({ state: 'pending', generation: 1, observed_revision: 1 });
    const late = await remote.receipt(credential, action);
    expect(late.body).toEqual({ accepted: false, stale: true, publication: pending });
    expect(await row()).toEqual(pending);
  });

  test('a failure is stored, replaced by another failure, and by a success of its generation', async () => {
    const { credential, ...delivered } = await published();
    const action = await remote.action(credential);
    for (const state of ['delivery_failed', 'conflict', 'drifted', 'incompatible'] as const) {
      await remote.receipt(credential, action, failed(state));
      expect(await rowOf(delivered)).toMatchObject({
        state,
        last_error_code: `local_${state}`,
        observed_generation: 0,
        observed_revision: null,
      });
      const stored = await rowOf(delivered);
      expect((await remote.receipt(credential, action, failed(state))).body.publication).toEqual(stored);
      expect(await remote.action(credential)).toEqual(action);
    }
    await remote.receipt(credential, action);
    expect(await rowOf(delivered)).toMatchObject({ state: 'current', last_error_code: null });
  });

  test('the published revision again: unchanged while pending or current, a retry after a failure', async () => {
    const { scope, skill, target_id, credential, publication } = await published();
    const publish = async () => (await remote.publish(scope, target_id, skill, 0)).body;
    expect(await publish()).toEqual(publication);
    const action = await remote.action(credential);
    await remote.receipt(credential, action, failed('delivery_failed'));
    expect(await publish()).toMatchObject({ state: 'pending', generation: 1, last_error_code: null });
    const stale = await remote.publish(scope, target_id, skill, 0);
    expect(stale.error).toMatchObject({ details: { expected_generation: 0, current_generation: 1 } });
    await remote.applied(credential);
    const current = (await remote.publish(scope, target_id, skill, 1)).body;
    expect(current).toMatchObject({ state: 'current', generation: 1 });
  });
});

describe('spec 40 scenario 35: receipts that do not fit', () => {
  test('another digest or operation is 409, contradictions are 422, and the row stays', async () => {
    const { credential, ...delivered } = await published();
    const action = await remote.action(credential);
    const before = await rowOf(delivered);
    const mismatch = { code: 'remote_publication_conflict', details: { reason: 'receipt_mismatch' } };
    for (const fields of [
      { observed_tree_digest: other },
      { expected_tree_digest: other },
      { operation: 'unpublish', observed_tree_digest: null },
      { artifact: { ...action.artifact, revision: 2 } },
      { artifact: { ...action.artifact, family: 'experience' } },
    ] as const) {
      const { error } = await remote.receipt(credential, action, fields);
      expect(error).toMatchObject(mismatch);
    }
    const send = (fields: object) =>
      service.send(
        'POST',
        '/v1/skill/remote/receipt',
        { ...receiptOf(action), ...fields },
        bearing(credential),
      );
    expectIssues(await send({ failure_state: 'conflict', error_code: 'x' }), ['failure_state', 'error_code']);
    expectIssues(await send({ observed_tree_digest: null }), ['observed_tree_digest']);
    expectIssues(await send({ ...failed('conflict'), error_code: null }), ['error_code']);
    expectIssues(await send({ ...failed('conflict'), failure_state: null }), ['failure_state']);
    expectIssues(await send({ operation: 'unpublish' }), ['observed_tree_digest']);
    expectIssues(await send({ ...failed('conflict'), error_code: 'No such code' }), ['error_code']);
    expect(await rowOf(delivered)).toEqual(before);
  });

  test('a receipt for a Skill that was never published here is 404', async () => {
    const { credential, skill } = await published();
    const action = await remote.action(credential);
    const { error } = await remote.receipt(credential, action, { artifact: { ...skill, artifact_id: 'x' } });
    expect(error?.code).toBe('remote_publication_not_found');
  });
});

test('spec 40 scenario 36: a lost receipt is made good through the next reconcile', async () => {
  const { credential, ...delivered } = await published();
  const observation = observationOf(await remote.action(credential));
  const again = await remote.action(credential, [observation]);
  expect(again).toMatchObject({ operation: 'install', generation: 0, expected_local: observation });
  expect(await rowOf(delivered)).toMatchObject({ state: 'pending', observed_at: null });
  await remote.receipt(credential, again);
  expect(await rowOf(delivered)).toMatchObject({ state: 'current' });
  expect(await remote.actions(credential, [observation])).toEqual([]);
});

describe('spec 40 scenario 37: only the last intent is delivered', () => {
  test('five publishes while offline give one action, of the last revision', async () => {
    const { scope, skill, target_id, credential } = await installed();
    let head = skill;
    for (const generation of [0, 1, 2, 3, 4]) {
      head = await revise(scope, head, 'release-check', `Do it ${generation} times.`);
      await remote.publish(scope, target_id, head, generation);
    }
    const action = await remote.action(credential);
    expect(action).toMatchObject({ operation: 'install', generation: 5, artifact: head });
  });

  test('a newer head that is not published is shown as update_available, until its Skill retires', async () => {
    const { scope, skill, credential, observation, rowOf: row } = await installed();
    await revise(scope, skill);
    expect(await row()).toMatchObject({ state: 'update_available', desired_revision: 1 });
    expect(await remote.actions(credential, [observation])).toEqual([]);
    await skills.lifecycle(scope, skill, 0, 'retired');
    expect(await row()).toMatchObject({ state: 'current' });
  });

  test('an update is installed over the old revision, and an older revision can be published again', async () => {
    const { scope, skill, target_id, credential, observation, rowOf: row } = await installed();
    const second = await revise(scope, skill);
    await remote.publish(scope, target_id, second, 0);
    const action = await remote.action(credential, [observation]);
    expect(action).toMatchObject({ artifact: second, generation: 1, expected_local: observation });
    await remote.receipt(credential, action);
    expect(await row()).toMatchObject({ state: 'current', observed_revision: 2, observed_generation: 1 });
    await remote.publish(scope, target_id, skill, 1);
    const back = await remote.action(credential, [observationOf(action)]);
    expect(back).toMatchObject({ artifact: skill, generation: 2, expected_local: observationOf(action) });
  });
});

describe('spec 40 scenario 38: drift', () => {
  test('blocks, is not written twice, also blocks a removal, and ends with a receipt', async () => {
    const { scope, skill, target_id, credential, observation, rowOf: row } = await installed();
    const drifted = { ...observation, actual_tree_digest: other };
    const blocked = { expected_local: null, blocked_error_code: 'drifted' };
    expect(await remote.action(credential, [drifted])).toMatchObject({ operation: 'install', ...blocked });
    const first = await row();
    expect(first).toMatchObject({
      state: 'drifted',
      last_error_code: 'drifted',
      observed_generation: 0,
      observed_revision: 1,
    });
    await remote.reconcile(credential, [drifted]);
    await remote.reconcile(credential, [{ ...observation, actual_tree_digest: null }]);
    expect(await row()).toEqual(first);

    await remote.unpublish(scope, target_id, skill, 0);
    const removal = { operation: 'unpublish', generation: 1, package: null };
    expect(await remote.action(credential, [drifted])).toMatchObject({ ...removal, ...blocked });
    const action = await remote.action(credential, [observation]);
    expect(action).toMatchObject({ ...removal, expected_local: observation, blocked_error_code: null });
    await remote.receipt(credential, action);
    expect(await row()).toMatchObject({
      state: 'unpublished',
      observed_revision: null,
      observed_generation: 1,
    });
    expect(await remote.actions(credential)).toEqual([]);
    const refused = await remote.download(credential, { ...(await install(skill)), generation: 1 });
    expect(refused.error).toMatchObject({ details: { current_generation: 1 } });

    async function install(artifact: ArtifactRef) {
      const { content } = (await skills.get(scope, artifact)).body;
      return { ...action, artifact, package: content.package };
    }
  });

  test('put right by hand while published: the Receiver proves it by a receipt', async () => {
    const { credential, observation, rowOf: row } = await installed();
    await remote.reconcile(credential, [{ ...observation, actual_tree_digest: other }]);
    const action = await remote.action(credential, [observation]);
    expect(action).toMatchObject({ expected_local: observation, blocked_error_code: null });
    expect(await row()).toMatchObject({ state: 'drifted' });
    await remote.receipt(credential, action);
    expect(await row()).toMatchObject({ state: 'current', last_error_code: null });
  });
});

describe('spec 40 §9: the other rows of the table of reconcile', () => {
  test('a package that is gone from a current row is installed again', async () => {
    const { credential, rowOf: row } = await installed();
    expect(await remote.action(credential)).toMatchObject({ operation: 'install', expected_local: null });
    expect(await row()).toMatchObject({
      state: 'pending',
      observed_revision: null,
      observed_tree_digest: null,
      observed_generation: null,
    });
  });

  test('another revision on disk than the current row says is replaced', async () => {
    const { scope, skill, target_id, credential, observation, rowOf: row } = await installed();
    await remote.publish(scope, target_id, await revise(scope, skill), 0);
    await remote.applied(credential, [observation]);
    const action = await remote.action(credential, [observation]);
    expect(action).toMatchObject({ operation: 'install', generation: 1, expected_local: observation });
    expect(await row()).toMatchObject({ state: 'pending', observed_revision: null, generation: 1 });
  });

  test('a package that reappears after its removal is removed again', async () => {
    const { scope, skill, target_id, credential, observation, rowOf: row } = await installed();
    await remote.unpublish(scope, target_id, skill, 0);
    expect(await remote.action(credential)).toMatchObject({ operation: 'unpublish', expected_local: null });
    await remote.applied(credential, [observation]);
    expect(await row()).toMatchObject({ state: 'unpublished' });
    const action = await remote.action(credential, [observation]);
    expect(action).toMatchObject({ operation: 'unpublish', generation: 1, expected_local: observation });
    expect(await row()).toMatchObject({ state: 'pending', observed_generation: null });
  });

  test.each([
    ['invalid_checkpoint_identity', { artifact: { family: 'experience' } }],
    ['unknown_checkpoint_package', { artifact: { revision: 9 } }],
    ['unknown_checkpoint_package', { artifact: { revision: 2 ** 53 - 1 } }],
    ['invalid_checkpoint_digest', { tree_digest: other, actual_tree_digest: other }],
    ['invalid_checkpoint_digest', { skill_name: 'other' }],
    ['invalid_checkpoint_generation', { applied_generation: 1 }],
    ['invalid_checkpoint_generation', { applied_generation: 2 ** 53 - 1 }],
  ] as [string, BadFields][])(
    '%s of a checkpoint with %o is a conflict',
    async (code, { artifact, ...fields }) => {
      const { credential, observation, rowOf: row } = await installed();
      const bad: RemoteSkillObservation = {
        ...observation,
        ...fields,
        artifact: { ...observation.artifact, ...artifact },
      };
      expect(await remote.action(credential, [bad])).toMatchObject({
        expected_local: null,
        blocked_error_code: code,
      });
      expect(await row()).toMatchObject({
        state: 'conflict',
        last_error_code: code,
        observed_generation: 0,
        observed_revision: 1,
      });
    },
  );

  test('an older revision is verified against its own digest and name', async () => {
    const { scope, skill, target_id, credential, observation } = await installed();
    await remote.publish(scope, target_id, await revise(scope, skill), 0);
    const wrong = { ...observation, tree_digest: other, actual_tree_digest: other };
    expect(await remote.action(credential, [wrong])).toMatchObject({
      blocked_error_code: 'invalid_checkpoint_digest',
    });
    expect(await remote.action(credential, [observation])).toMatchObject({ expected_local: observation });
  });

  test('observations without a row are ignored, two of one Artifact are 422', async () => {
    const { credential, observation } = await installed();
    const foreign = { ...observation, artifact: { ...observation.artifact, artifact_id: 'foreign' } };
    expect(await remote.actions(credential, [foreign, observation])).toEqual([]);
    const body = { observations: [observation, foreign, observation], receiver_version: '1.0.0' };
    const reply = await service.send('POST', '/v1/skill/remote/reconcile', body, bearing(credential));
    expectIssues(reply, ['observations[2].artifact.artifact_id']);
  });
});

describe('spec 40 scenario 39: names and lifecycle', () => {
  test('the name of a Skill is taken until its removal is confirmed', async () => {
    const { scope, skill, target_id, credential, observation } = await installed('taken');
    const twin = await skills.approved(scope, archiveOf(skillFile('taken', 'Another one.')));
    const inUse = {
      code: 'remote_publication_conflict',
      details: { reason: 'name_in_use', artifact_id: skill.artifact_id },
    };
    expect((await remote.publish(scope, target_id, twin)).error).toMatchObject(inUse);
    await remote.unpublish(scope, target_id, skill, 0);
    expect((await remote.publish(scope, target_id, twin)).error).toMatchObject(inUse);
    await remote.applied(credential, [observation]);
    expect((await remote.publish(scope, target_id, twin)).status).toBe(200);
    expect((await remote.publish(scope, target_id, skill, 1)).error).toMatchObject({
      details: { reason: 'name_in_use', artifact_id: twin.artifact_id },
    });
  });

  test('a retired Skill cannot be published, a deprecated one if allowed, and each can be unpublished', async () => {
    const { scope, skill, target_id, credential } = await installed();
    const fresh = await remote.enrolled(scope);
    await skills.lifecycle(scope, skill, 0, 'deprecated');
    const deprecated = await remote.publish(scope, fresh.target_id, skill);
    expect(deprecated.error).toMatchObject({
      code: 'governance_conflict',
      details: { lifecycle_state: 'deprecated' },
    });
    const allowed = await remote.publish(scope, fresh.target_id, skill, null, { allow_deprecated: true });
    expect(allowed.status).toBe(200);
    await skills.lifecycle(scope, skill, 1, 'retired');
    const retired = await remote.publish(scope, fresh.target_id, skill, 0, { allow_deprecated: true });
    expect(retired.error).toMatchObject({
      code: 'governance_conflict',
      details: { lifecycle_state: 'retired' },
    });
    expect((await remote.download(fresh.credential, await remote.action(fresh.credential))).status).toBe(200);
    const removed = await remote.unpublish(scope, target_id, skill, 0);
    expect(removed.body).toMatchObject({ desired_state: 'unpublished', state: 'pending', generation: 1 });
    expect((await remote.unpublish(scope, target_id, skill, 1)).body).toEqual(removed.body);
    expect(await remote.action(credential)).toMatchObject({ operation: 'unpublish' });
  });

  test('a description with markup is not for Codex, and is for Claude Code', async () => {
    const scope = freshScope();
    const skill = await skills.approved(
      scope,
      archiveOf({
        name: 'SKILL.md',
        content: '---\nname: tags\ndescription: Use for <b>tags</b>.\n---\n\nDo it.\n',
      }),
    );
    const codex = await remote.enrolled(scope);
    const { error } = await remote.publish(scope, codex.target_id, skill);
    expect(error).toMatchObject({
      code: 'capability_not_supported',
      details: { capability: 'agent_skill_format', agent_kind: 'codex', reason: 'description_markup' },
    });
    const claude = await remote.enrolled(scope, 'claude_code');
    expect((await remote.publish(scope, claude.target_id, skill)).status).toBe(200);
  });
});

describe('spec 40 §8: the order of the checks of publish', () => {
  test('target, revision, lifecycle, generation', async () => {
    const { scope, skill, target_id } = await published();
    const send = (body: object) =>
      service.send('POST', '/v1/skill/remote/publication/publish', {
        scope_id: scope,
        target_id,
        artifact: skill,
        expected_generation: 0,
        ...body,
      });
    const unknown = { ...skill, artifact_id: 'unknown' };
    expectError(await send({ target_id: 'unknown', artifact: unknown }), 404, 'remote_target_not_found');
    expectError(await send({ scope_id: freshScope(), artifact: unknown }), 404, 'remote_target_not_found');
    expectError(await send({ artifact: unknown, expected_generation: 9 }), 404, 'artifact_not_found');
    expectError(await send({ artifact: { ...skill, family: 'experience' } }), 404, 'artifact_not_found');
    expectError(await send({ artifact: { ...skill, revision: 2 } }), 404, 'artifact_not_found');
    expectError(await send({ artifact: { ...skill, revision: 2 ** 53 - 1 } }), 404, 'artifact_not_found');
    for (const expected_generation of [null, 1, 2 ** 53 - 1]) {
      const reply = await send({ expected_generation });
      expectError(reply, 409, 'remote_publication_conflict');
      expect(reply.json).toMatchObject({
        error: { details: { expected_generation, current_generation: 0 } },
      });
    }
    const pending = (await remote.create(scope)).body.target.target_id;
    const first = await send({ target_id: pending, artifact: unknown });
    expect(first.json).toMatchObject({
      error: { code: 'remote_target_conflict', details: { state: 'pending' } },
    });
    await skills.lifecycle(scope, skill, 0, 'retired');
    expectError(await send({ expected_generation: 9 }), 409, 'governance_conflict');
  });

  test('unpublish: target, row, generation', async () => {
    const { scope, skill, target_id } = await published();
    const fresh = await remote.enrolled(scope);
    expect((await remote.unpublish(scope, 'unknown', skill, 9)).error?.code).toBe('remote_target_not_found');
    const none = await remote.unpublish(scope, fresh.target_id, skill, 9);
    expect(none.error?.code).toBe('remote_publication_not_found');
    const stale = await remote.unpublish(scope, target_id, skill, 9);
    expect(stale.error).toMatchObject({ details: { expected_generation: 9, current_generation: 0 } });
  });
});
