import { createHash } from 'node:crypto';
import type { ArtifactRef } from '@continuity/contract';
import type { RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { afterAll, describe, expect, test } from 'vitest';
import { deliveries, otherDigest } from '../support/deliveries.ts';
import { expectIssues } from '../support/memory.ts';
import { bearing, observationOf, remoteCalls } from '../support/remote-skills.ts';
import { startService } from '../support/service.ts';
import { skillCalls } from '../support/skills.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
const remote = remoteCalls(service);
const skills = skillCalls(service);
const { published, installed, revise } = deliveries(service);

afterAll(() => service.stop());

/** Fields of an observation that are wrong. */
type BadFields = Partial<Omit<RemoteSkillObservation, 'artifact'>> & { artifact?: Partial<ArtifactRef> };

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
      { ...action, package: { ...ref, tree_digest: otherDigest } },
      { ...action, package: { ...ref, archive_digest: otherDigest } },
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
    const { scope, skill, credential, observation, row } = await installed();
    await revise(scope, skill);
    expect(await row()).toMatchObject({ state: 'update_available', desired_revision: 1 });
    expect(await remote.actions(credential, [observation])).toEqual([]);
    await skills.lifecycle(scope, skill, 0, 'retired');
    expect(await row()).toMatchObject({ state: 'current' });
  });

  test('an update is installed over the old revision, and an older revision can be published again', async () => {
    const { scope, skill, target_id, credential, observation, row } = await installed();
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
    const { scope, skill, target_id, credential, observation, row } = await installed();
    const drifted = { ...observation, actual_tree_digest: otherDigest };
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
    const { credential, observation, row } = await installed();
    await remote.reconcile(credential, [{ ...observation, actual_tree_digest: otherDigest }]);
    const action = await remote.action(credential, [observation]);
    expect(action).toMatchObject({ expected_local: observation, blocked_error_code: null });
    expect(await row()).toMatchObject({ state: 'drifted' });
    await remote.receipt(credential, action);
    expect(await row()).toMatchObject({ state: 'current', last_error_code: null });
  });
});

describe('spec 40 §9: the other rows of the table of reconcile', () => {
  test('a package that is gone from a current row is installed again', async () => {
    const { credential, row } = await installed();
    expect(await remote.action(credential)).toMatchObject({ operation: 'install', expected_local: null });
    expect(await row()).toMatchObject({
      state: 'pending',
      observed_revision: null,
      observed_tree_digest: null,
      observed_generation: null,
    });
  });

  test('another revision on disk than the current row says is replaced', async () => {
    const { scope, skill, target_id, credential, observation, row } = await installed();
    await remote.publish(scope, target_id, await revise(scope, skill), 0);
    await remote.applied(credential, [observation]);
    const action = await remote.action(credential, [observation]);
    expect(action).toMatchObject({ operation: 'install', generation: 1, expected_local: observation });
    expect(await row()).toMatchObject({ state: 'pending', observed_revision: null, generation: 1 });
  });

  test('a package that reappears after its removal is removed again', async () => {
    const { scope, skill, target_id, credential, observation, row } = await installed();
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
    ['invalid_checkpoint_digest', { tree_digest: otherDigest, actual_tree_digest: otherDigest }],
    ['invalid_checkpoint_digest', { skill_name: 'other' }],
    ['invalid_checkpoint_generation', { applied_generation: 1 }],
    ['invalid_checkpoint_generation', { applied_generation: 2 ** 53 - 1 }],
  ] as [string, BadFields][])(
    '%s of a checkpoint with %o is a conflict',
    async (code, { artifact, ...fields }) => {
      const { credential, observation, row } = await installed();
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
    const wrong = { ...observation, tree_digest: otherDigest, actual_tree_digest: otherDigest };
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
