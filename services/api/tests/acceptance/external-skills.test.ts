import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { externalSkillCalls, releaseCheck, writeSkill, writeSkillHosts } from '../support/external-skills.ts';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const root = await temporaryDirectory('skills');
const host_id = 'workstation-1';
const service = await startService({
  workers: true,
  environment: {
    MEMORY_AUTO_FLUSH: 'off',
    EXTERNAL_SKILLS_FILE: await writeSkillHosts({ [host_id]: [{ path: root }] }),
  },
});
const { scan, list, resolve, statuses, import: importSkill } = externalSkillCalls(service);

afterAll(() => service.stop());

const directory = await writeSkill(root, 'release-check', {
  ...releaseCheck,
});

test('spec 40 scenario 26: a changed package is unavailable until it is scanned again', async () => {
  const scope = freshScope();
  const first = await scan(scope);
  expect(first.body).toEqual({
    registrations: [expect.objectContaining({ name: 'release-check' })],
    skipped: 0,
  });
  const [registration] = first.body.registrations;
  if (registration === undefined) throw new Error('The scan found nothing.');
  expect((await list(scope)).body.skills).toEqual([
    { registration, status: 'available', entrypoint: join(directory, 'SKILL.md') },
  ]);
  expect((await resolve(scope, registration)).body.status).toBe('available');
  const imported = await importSkill(scope, registration);
  expect(imported.body.status).toBe('pending');
  await appendFile(join(directory, 'scripts/verify.sh'), '\n');
  expect(await statuses(scope)).toEqual([[registration.external_skill_id, 'unavailable']]);
});
