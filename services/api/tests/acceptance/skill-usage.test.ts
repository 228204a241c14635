import { afterAll, expect, test } from 'vitest';
import { documentCalls } from '../support/documents.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { startService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import { capture, readSource } from '../support/sources.ts';

const service = await startService();
const skills = skillCalls(service);
const documents = documentCalls(service);

afterAll(() => service.stop());

/** A Scope with a Skill, and an observation of it. */
async function arrange() {
  const scope_id = freshScope();
  const skill_ref = await skills.approved(scope_id, archiveOf(skillFile('watched')));
  const { package: ref } = (await skills.manifest(scope_id, skill_ref)).body;
  const observation = {
    scope_id,
    observation_id: 'run 1',
    skill_ref,
    package_digest: `sha256:${ref.tree_digest}`,
    target_id: 'build machine',
    selected: false,
    invoked: 'true',
    validation: 'unknown',
    outcome: 'success',
  } as const;
  return { scope_id, skill_ref, observation };
}

const record = (body: object) => service.send('POST', '/v1/skill/usage', body);

test('spec 40 scenario 25: an observation is stored once, as it was sent', async () => {
  const { scope_id, observation } = await arrange();
  const first = await service.call('record_skill_usage', { body: observation });
  expect([first.status, first.body]).toEqual([
    201,
    { status: 'accepted', source: { name: 'skill-usage', source_id: 'run 1' }, position: 3 },
  ]);
  const again = await service.call('record_skill_usage', {
    body: { ...observation, task_source: null, environment_fingerprint: null },
  });
  expect([again.status, again.body]).toEqual([201, first.body]);
  const { scope_id: _scope, observation_id: _id, ...fields } = observation;
  const source = await readSource(service, scope_id, 'run 1', 'skill-usage');
  expect(source.body.content).toEqual({
    schema: 'service.skill-usage.v1',
    ...fields,
    task_source: null,
    environment_fingerprint: null,
  });
  expect(await documents.sourceCount(scope_id)).toBe(3);
});

test('spec 40 scenario 25: other content under the id is 409, whatever else is wrong with it', async () => {
  const { scope_id, skill_ref, observation } = await arrange();
  await service.call('record_skill_usage', { body: observation });
  const stored = (await readSource(service, scope_id, 'run 1', 'skill-usage')).body;
  for (const change of [
    { outcome: 'failure' },
    { skill_ref: { ...skill_ref, revision: 9 } },
    { package_digest: `sha256:${'0'.repeat(64)}` },
    { task_source: { name: 'content', source_id: 'unknown' } },
  ]) {
    const reply = await record({ ...observation, ...change });
    expect(reply.json).toMatchObject({
      error: {
        code: 'source_conflict',
        details: {
          current: {
            source: { name: 'skill-usage', source_id: 'run 1' },
            position: stored.position,
            content_digest: stored.content_digest,
          },
        },
      },
    });
  }
});

test('spec 40 scenario 25: Skill, digest and task are checked in this order, and nothing is stored', async () => {
  const { scope_id, skill_ref, observation } = await arrange();
  const wrong = {
    ...observation,
    skill_ref: { ...skill_ref, revision: 2 },
    package_digest: `sha256:${'0'.repeat(64)}`,
    task_source: { name: 'content', source_id: 'unknown' },
  };
  expect((await record(wrong)).status).toBe(404);
  expectIssues(await record({ ...wrong, skill_ref }), ['package_digest']);
  expectIssues(await record({ ...wrong, skill_ref, package_digest: observation.package_digest }), [
    'task_source',
  ]);
  const created = await documents.createExperience(scope_id);
  const [system] = created.body.sources;
  const task_source = { name: 'content', source_id: system?.source_id ?? '' };
  const ineligible = await service.call('record_skill_usage', { body: { ...observation, task_source } });
  expect([ineligible.error?.code, ineligible.error?.details]).toEqual([
    'source_not_eligible',
    { source_ref: task_source },
  ]);
  expect((await record({ ...observation, scope_id: freshScope() })).status).toBe(404);
  expect(await documents.sourceCount(scope_id)).toBe(3);
  await capture(service, scope_id, 'task');
  const task = { name: 'content', source_id: 'task' };
  const accepted = await service.call('record_skill_usage', { body: { ...observation, task_source: task } });
  expect(accepted.status).toBe(201);
});

test('spec 40 §6.9: a digest of another revision is 422, and a retired Skill can be observed', async () => {
  const { scope_id, skill_ref, observation } = await arrange();
  const next = await skills.approved(scope_id, archiveOf(skillFile('watched', 'Anew.')), {
    target: skill_ref,
  });
  expectIssues(await record({ ...observation, observation_id: 'run 2', skill_ref: next }), [
    'package_digest',
  ]);
  await skills.lifecycle(scope_id, skill_ref, 0, 'retired');
  expect((await record(observation)).status).toBe(201);
});

test('spec 40 §6.9: 20 equal observations at once are one Source, and usage is evidence', async () => {
  const { scope_id, skill_ref, observation } = await arrange();
  const replies = await race(20, () => service.call('record_skill_usage', { body: observation }));
  expect(countStatuses(replies)).toEqual({ 201: 20 });
  expect(new Set(replies.map(({ body }) => body.position)).size).toBe(1);
  const proposed = await reviewCalls(service).proposeSkill(scope_id, {
    source_refs: [{ name: 'skill-usage', source_id: 'run 1' }],
    artifact_refs: [skill_ref],
    target: skill_ref,
  });
  expect(proposed.status).toBe(201);
});
