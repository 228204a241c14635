import { type ReceivedError, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generationCalls, retro, selectCandidates, sourceOf } from '../support/generation.ts';
import { freshScope, remember } from '../support/memory.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { archiveOf, skillCalls } from '../support/skills.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

let service: TestService;
let other: TestService;
let calls: ReturnType<typeof generationCalls>;

beforeAll(async () => {
  const options = { workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } };
  [service, other] = await Promise.all([startService(options), startService(options)]);
  calls = generationCalls(service);
});

afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
});

/** Expects 422 with issues at exactly these paths. */
function expectRefused(
  { status, error }: { status: number; error?: ReceivedError | undefined },
  paths: string[],
): void {
  expect([status, error?.code]).toEqual([422, 'invalid_request']);
  const issues = error?.details['issues'] as { path: string }[];
  expect(issues.map(({ path }) => path)).toEqual(paths);
}

/** A new Scope that has these Sources, named s1, s2 … */
async function scopeWith(...contents: string[]): Promise<string> {
  const scope = freshScope();
  for (const [index, content] of contents.entries()) await capture(service, scope, `s${index + 1}`, content);
  return scope;
}

const candidatesOf = (scope: string) =>
  query(
    service.databaseUrl,
    `${selectCandidates.replace('ORDER', 'WHERE scope_key = (SELECT scope_key FROM scopes WHERE scope_id = $1) ORDER')}`,
    [scope],
  );

const lessons = {
  situation: 'Checkout timed out.',
  action: 'The pool was raised.',
  outcome: 'It took eleven minutes.',
  lesson: 'Alert on pool use.',
};

describe('spec 40 scenario 11: a default installation', () => {
  test('generates both Families, and depends on no model', async () => {
    const { body: capabilities } = await service.call('get_capabilities');
    expect(capabilities).toMatchObject({ experience_generation: true, managed_skill_generation: true });
    const { checks } = (await service.call('get_readiness')).body;
    expect(checks['worker.candidate-generation']).toBe('ready');
    expect(checks).not.toHaveProperty('inference.generation');
  });

  test('gives the proposals of the example, equal ones on two installations', async () => {
    const scope = freshScope();
    const answers = await Promise.all(
      [service, other].map(async (one) => {
        await capture(one, scope, 's1', retro);
        const generate = generationCalls(one);
        const experience = await generate.experience(scope, [sourceOf('s1')]);
        const skill = await generate.skill(scope, 'source', [sourceOf('s1')]);
        return [experience.body.candidate?.proposal, skill.body.candidate?.proposal];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toEqual({
      situation: 'Checkout requests timed out at nine.',
      action: 'The pool was raised to forty connections.',
      outcome: 'Latency went back to normal.\nIt took eleven minutes in total.',
      lesson: 'You should alert on pool use.',
    });
    expect(answers[0]?.[1]).toMatchObject({
      name: 'retro-of-the-march-outage',
      description: 'Use when: Retro of the March outage',
      instructions:
        '## When\n\n- Checkout requests timed out at nine.\n\n## Steps\n\n1. The pool was raised to forty connections.\n' +
        '2. You should alert on pool use.\n\n## Validation\n\n- Latency went back to normal.\n' +
        '- It took eleven minutes in total.\n- Verify that the pool stays below eighty percent.',
      validation: [],
      package: { tree_digest: '99dc4663fac85b3988f6f7702fc8d4d45d8ac492d3c3e432239afb1a8b81d66c' },
    });
  });

  test('answers no_op and makes nothing of evidence without a sentence', async () => {
    const scope = await scopeWith('# Title\n\n```\ncode();\n```\nok');
    expect((await calls.experience(scope, [sourceOf('s1')])).body).toEqual({
      status: 'no_op',
      candidate: null,
    });
    expect((await calls.skill(scope, 'source', [sourceOf('s1')])).body.status).toBe('no_op');
    expect(await candidatesOf(scope)).toEqual([]);
  });
});

test('spec 40 scenario 12: what is switched off is 503 with its Family, and the other Family goes on', async () => {
  const scope = await scopeWith(retro);
  const settings = { ...service.settings, EXPERIENCE_GENERATION: false };
  const off = await startSecondGateway({ ...service, settings });
  try {
    expect((await off.call('get_capabilities')).body).toMatchObject({
      experience_generation: false,
      managed_skill_generation: true,
    });
    const refused = await generationCalls(off).experience(scope, [sourceOf('unknown')]);
    expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
      503,
      'generation_unavailable',
      { family: 'experience' },
    ]);
    expect(refused.headers.get('retry-after')).toBe('1');
    // The checks of the body come first.
    expectRefused(await generationCalls(off).experience(scope, []), ['source_refs']);
    expect((await generationCalls(off).skill(scope, 'source', [sourceOf('s1')])).status).toBe(200);
    const proposal = { situation: 's', action: 'a', outcome: 'o', lesson: 'l' };
    const proposed = await off.call('propose_experience', {
      body: { scope_id: scope, proposal, source_refs: [sourceOf('s1')], artifact_refs: [] },
    });
    const { candidate_id } = proposed.body;
    const approved = await off.call('approve_artifact_candidate', {
      body: { scope_id: scope, candidate_id, expected_version: 1 },
    });
    expect(approved.body.status).toBe('approved');
  } finally {
    await off.stop();
  }
});

test('spec 40 scenario 13: the wrong shape of each origin is 422, and nothing is queued', async () => {
  const scope = await scopeWith(retro);
  const target = await calls.create(scope, 'experience', lessons);
  const s1 = [sourceOf('s1')];
  for (const reply of [
    await calls.skill(scope, 'experience', s1, { artifact_refs: [target], target }),
    await calls.skill(scope, 'experience', s1),
    await calls.skill(scope, 'source', s1, { artifact_refs: [target] }),
    await calls.skill(scope, 'usage', [], { artifact_refs: [target], target }),
    await calls.skill(scope, 'usage', s1, { artifact_refs: [target], target }),
  ])
    expectRefused(reply, ['origin']);
  expect(await query(service.databaseUrl, 'SELECT FROM jobs WHERE scope_id = $1', [scope])).toEqual([]);
});

describe('spec 40 §1.1: the evidence', () => {
  test('is checked before anything is queued, and kept without its duplicates', async () => {
    const scope = await scopeWith(retro);
    const elsewhere = await scopeWith(retro, retro);
    expectRefused(await calls.experience(scope, [sourceOf('s1'), sourceOf('s2')]), ['source_refs[1]']);
    expect((await calls.experience(elsewhere, [sourceOf('s2')])).status).toBe(200);
    const { body } = await calls.experience(scope, [sourceOf('s1'), sourceOf('s1')], { reason: 'A note.' });
    expect(body.candidate).toMatchObject({
      version: 1,
      status: 'pending',
      source_refs: [sourceOf('s1')],
      reason: 'A note.',
    });
    expect(await candidatesOf(scope)).toMatchObject([{ origin: 'generated', version: 1 }]);
  });

  test('of every kind is read', async () => {
    const scope = await scopeWith('The deploy failed at noon.');
    await remember(service, scope, 'Always drain the queue first.');
    const skill = await calls.create(scope, 'skill', {
      name: 'drain',
      description: 'Drain the queue.',
      instructions: 'Stop the producers before the consumers.',
      validation: [],
    });
    const memory = { family: 'memory', artifact_id: 'memory', revision: 1 };
    const experience = await calls.create(scope, 'experience', lessons);
    const { body } = await calls.experience(scope, [sourceOf('s1')], {
      artifact_refs: [memory, skill, experience],
    });
    expect(body.candidate?.proposal).toEqual({
      situation: 'Checkout timed out.',
      action: 'The pool was raised.',
      outcome:
        'It took eleven minutes.\nThe deploy failed at noon.\nAlways drain the queue first.\nStop the producers before the consumers.',
      lesson: 'Alert on pool use.\nAlways drain the queue first.\nStop the producers before the consumers.',
    });
  });

  test('that is long is read at its beginning, and a credential in it never becomes a proposal', async () => {
    const secret = 'Deploy with password=hunter2secret for the cluster.';
    const scope = await scopeWith(`${secret} The deploy failed at noon. ${'x'.repeat(190_000)}`);
    const { body } = await calls.experience(scope, [sourceOf('s1')]);
    expect(JSON.stringify(body)).toContain('The deploy failed at noon.');
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });
});

test('spec 40 scenario 45: prose and an Experience as target: each field goes on, and nothing is said twice', async () => {
  const scope = await scopeWith('We saw it again. Never skip the drain.', 'It took eleven minutes.');
  const target = await calls.create(scope, 'experience', lessons);
  const evidence = [sourceOf('s1'), sourceOf('s2')];
  const { body } = await calls.experience(scope, evidence, { artifact_refs: [target], target });
  const next = {
    ...lessons,
    outcome: 'It took eleven minutes.\nNever skip the drain.',
    lesson: 'Alert on pool use.\nNever skip the drain.',
  };
  expect(body.candidate).toMatchObject({ target, artifact_refs: [target], proposal: next });
  const head = await calls.create(scope, 'experience', next);
  const again = await calls.experience(scope, evidence, { artifact_refs: [head], target: head });
  expect(again.body).toEqual({ status: 'no_op', candidate: null });
});

test('spec 40 scenario 46: observed use follows the old bytes of SKILL.md, and the script and its mode stay', async () => {
  const scope = freshScope();
  const skills = skillCalls(service);
  const old =
    '---\nname: raise-pool\ndescription: Raise the pool.\nx-team: payments\n---\n\nRun scripts/raise.sh.\n\n';
  const script = { name: 'scripts/raise.sh', content: '#!/bin/sh\nexit 0\n', mode: 0o100755 };
  const target = await skills.approved(scope, archiveOf({ name: 'SKILL.md', content: old }, script));
  const before = (await skills.manifest(scope, target)).body;
  const used = await service.call('record_skill_usage', {
    body: {
      scope_id: scope,
      observation_id: 'use-1',
      skill_ref: target,
      package_digest: `sha256:${before.package.tree_digest}`,
      target_id: 'build-7',
      selected: true,
      invoked: 'unknown',
      validation: 'failed',
      outcome: 'failure',
    },
  });
  const { body } = await calls.skill(scope, 'usage', [used.body.source], { artifact_refs: [target], target });
  const artifact = { ...target, revision: 2 };
  const candidate_id = body.candidate?.candidate_id ?? '';
  const decision = { scope_id: scope, candidate_id, expected_version: 1 };
  const approved = await service.call('approve_artifact_candidate', { body: decision });
  expect(approved.body.result_artifact).toEqual(artifact);
  const { files } = (await skills.manifest(scope, artifact)).body;
  expect(files.map(({ path, executable }) => [path, executable])).toEqual([
    ['SKILL.md', false],
    ['scripts/raise.sh', true],
  ]);
  expect(files[1]).toEqual(before.files[1]);
  // The archive stores files as they are.
  const { archive_base64 } = (await skills.download(scope, artifact)).body;
  expect(Buffer.from(archive_base64, 'base64').toString('latin1')).toContain(
    `SKILL.md${old.trimEnd()}\n\n## Observed use\n\n- Observed on build-7: selected true, invoked unknown, validation failed, outcome failure.\nPK`,
  );
});

describe('spec 40 §2.1: equal requests', () => {
  test('spec 40 scenario 15: ten at once get ten equal answers and one Candidate; later ones get it too', async () => {
    const scope = await scopeWith(retro, 'The deploy failed at noon.');
    const both = [sourceOf('s1'), sourceOf('s2')];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        calls.experience(scope, index % 2 === 0 ? both : both.toReversed(), { reason: `note ${index}` }),
      ),
    );
    const bodies = replies.map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
    expect(replies[0]?.body.status).toBe('pending');
    expect((await calls.experience(scope, both)).body).toEqual(replies[0]?.body);
    const prompt = await calls.experienceAsync(scope, both);
    expect([prompt.status, prompt.json]).toEqual([200, replies[0]?.body]);
    expect(await candidatesOf(scope)).toHaveLength(1);
  });

  test('with other evidence, another origin or in another Scope share nothing', async () => {
    const scope = await scopeWith(retro, retro);
    const elsewhere = await scopeWith(retro);
    const experience = await calls.create(scope, 'experience', lessons);
    const replies = await Promise.all([
      calls.experience(scope, [sourceOf('s1')]),
      calls.experience(scope, [sourceOf('s2')]),
      calls.experience(elsewhere, [sourceOf('s1')]),
      calls.skill(scope, 'source', [sourceOf('s1')]),
      calls.skill(scope, 'experience', [sourceOf('s1')], { artifact_refs: [experience] }),
    ]);
    const ids = replies.map(({ body }) => body.candidate?.candidate_id);
    expect(new Set(ids).size).toBe(5);
  });

  test('with respond-async answer 202, and the job has the Candidate', async () => {
    const scope = await scopeWith(retro);
    const accepted = await calls.experienceAsync(scope, [sourceOf('s1')]);
    expect(accepted.status).toBe(202);
    const { job_id } = accepted.json as { job_id: string };
    const job = await waitUntil(async () => {
      const { body } = await service.call('get_job', { params: { job_id } });
      return body.status === 'succeeded' && body;
    });
    expect(job).toMatchObject({ operation: 'generate_experience', result: { status: 'pending' } });
  });
});
