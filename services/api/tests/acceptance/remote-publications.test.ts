import { afterAll, describe, expect, test } from 'vitest';
import { deliveries, otherDigest } from '../support/deliveries.ts';
import { expectError } from '../support/envelope.ts';
import { expectIssues, freshScope } from '../support/memory.ts';
import { bearing, failed, observationOf, receiptOf, remoteCalls } from '../support/remote-skills.ts';
import { startService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
const remote = remoteCalls(service);
const skills = skillCalls(service);
const { published, installed, revise } = deliveries(service);

afterAll(() => service.stop());

describe('spec 40 scenario 34: receipts by generation', () => {
  test('a repeat and a late failure change nothing, an old one is stale, a future one is a conflict', async () => {
    const { scope, skill, target_id, credential, row } = await published();
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
    const { credential, row } = await published();
    const action = await remote.action(credential);
    for (const state of ['delivery_failed', 'conflict', 'drifted', 'incompatible'] as const) {
      await remote.receipt(credential, action, failed(state));
      expect(await row()).toMatchObject({
        state,
        last_error_code: `local_${state}`,
        observed_generation: 0,
        observed_revision: null,
      });
      const stored = await row();
      expect((await remote.receipt(credential, action, failed(state))).body.publication).toEqual(stored);
      expect(await remote.action(credential)).toEqual(action);
    }
    await remote.receipt(credential, action);
    expect(await row()).toMatchObject({ state: 'current', last_error_code: null });
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
    const { credential, row } = await published();
    const action = await remote.action(credential);
    const before = await row();
    const mismatch = { code: 'remote_publication_conflict', details: { reason: 'receipt_mismatch' } };
    for (const fields of [
      { observed_tree_digest: otherDigest },
      { expected_tree_digest: otherDigest },
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
    expect(await row()).toEqual(before);
  });

  test('a receipt for a Skill that was never published here is 404', async () => {
    const { credential, skill } = await published();
    const action = await remote.action(credential);
    const { error } = await remote.receipt(credential, action, { artifact: { ...skill, artifact_id: 'x' } });
    expect(error?.code).toBe('remote_publication_not_found');
  });
});

test('spec 40 scenario 36: a lost receipt is made good through the next reconcile', async () => {
  const { credential, row } = await published();
  const observation = observationOf(await remote.action(credential));
  const again = await remote.action(credential, [observation]);
  expect(again).toMatchObject({ operation: 'install', generation: 0, expected_local: observation });
  expect(await row()).toMatchObject({ state: 'pending', observed_at: null });
  await remote.receipt(credential, again);
  expect(await row()).toMatchObject({ state: 'current' });
  expect(await remote.actions(credential, [observation])).toEqual([]);
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
