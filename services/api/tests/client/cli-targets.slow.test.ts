import type { ArtifactRef } from '@continuity/contract';
import { temporaryDirectory } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { remoteCalls } from '../support/remote-skills.ts';
import { startService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';

const scope = 'cli-targets';
const home = await temporaryDirectory('home');
const service = await startService();

afterAll(() => service.stop());

test('targets creates, renames and revokes targets, and publishes and unpublishes Skills', async () => {
  const skills = skillCalls(service);
  const first = await skills.approved(scope, archiveOf(skillFile('release-check', 'Once.')));
  const second = await skills.approved(scope, archiveOf(skillFile('release-check', 'Twice.')), {
    target: first,
  });
  const reference = ({ artifact_id, revision }: ArtifactRef) => `skill/${artifact_id}@${revision}`;
  const run = (...args: string[]) =>
    runCli(['targets', ...args], {
      env: { HOME: home, CONTINUITY_URL: service.url, CONTINUITY_SCOPE: scope },
    });
  const printed = async (...args: string[]) => JSON.parse((await run(...args)).stdout) as object;

  expect(await run('list')).toMatchObject({ code: 0, stdout: '', stderr: 'No target.\n' });
  const created = await run('create', 'codex', 'build machine');
  expect(created.stdout).toMatch(/^ske_[\w-]{43}\n$/);
  const [, target = ''] = /^The code of (codex-[0-9a-f]{12}) is valid until /.exec(created.stderr) ?? [];
  expect((await run('list')).stdout).toMatch(
    new RegExp(
      `^TARGET +NAME +STATE +PRESENCE +GENERATION +PUBLICATIONS\n${target} +build machine +pending +unknown +0 +0\n$`,
    ),
  );
  expect(await run('publish', target, reference(first))).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('remote_target_conflict'),
  });
  await remoteCalls(service).enroll(created.stdout.trim());
  expect(await run('publications', target)).toMatchObject({ stdout: '', stderr: 'No publication.\n' });
  expect(await printed('publish', target, reference(first))).toMatchObject({
    state: 'pending',
    generation: 0,
  });
  expect(await printed('publish', target, reference(second), '--generation', '0')).toMatchObject({
    desired_revision: 2,
    generation: 1,
  });
  expect((await run('publications', target)).stdout).toMatch(
    new RegExp(`^SKILL +WANTED +STATE +GENERATION +ERROR\n${reference(second)} +published +pending +1 *\n$`),
  );
  expect(await run('unpublish', target, first.artifact_id, '--generation', '0')).toMatchObject({ code: 5 });
  expect(await run('unpublish', target, first.artifact_id, '--generation', 'x')).toMatchObject({ code: 2 });
  expect(await printed('unpublish', target, first.artifact_id, '--generation', '1')).toMatchObject({
    desired_state: 'unpublished',
    generation: 2,
  });
  await skills.lifecycle(scope, first, 0, 'deprecated');
  const again = ['publish', target, reference(second), '--generation', '2'];
  expect(await run(...again)).toMatchObject({ code: 5 });
  expect(await printed(...again, '--allow-deprecated')).toMatchObject({ generation: 3 });
  expect(await printed('rename', target, 'laptop', '--generation', '1')).toMatchObject({
    display_name: 'laptop',
    generation: 2,
  });
  expect(await printed('revoke', target, '--generation', '2')).toMatchObject({
    state: 'revoked',
    generation: 3,
  });
  expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject({
    targets: [{ target: { target_id: target, state: 'revoked' }, publications: [{ generation: 3 }] }],
  });
  expect(await run('revoke', 'unknown', '--generation', '0')).toMatchObject({ code: 4 });
});

test('an unknown target has no publications to list', async () => {
  const env = { HOME: home, CONTINUITY_URL: service.url, CONTINUITY_SCOPE: scope };
  const publications = ['targets', 'publications', 'codex-000000000000'];
  expect(await runCli(publications, { env })).toEqual({
    code: 4,
    stdout: '',
    stderr: 'error: This Scope has no such target. (remote_target_not_found)\n',
  });
  const revoke = ['targets', 'revoke', 'codex-000000000000', '--generation', '0', '--json'];
  expect(await runCli([...publications, '--json'], { env })).toEqual(await runCli(revoke, { env }));
});
