import { execFile } from 'node:child_process';
import { appendFile, chmod, link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory, waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import {
  externalSkillCalls,
  packagesBelow,
  skillText,
  writeSkill,
  writeSkillHosts,
} from '../support/external-skills.ts';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const host_id = 'workstation-1';
const folders = await temporaryDirectory('skills');
const roots = {
  repository: join(folders, 'repository'),
  hostile: join(folders, 'hostile'),
  busy: join(folders, 'busy'),
};
const service = await startService({
  workers: true,
  environment: {
    MEMORY_AUTO_FLUSH: 'off',
    AUTH_TOKENS_FILE: await writeTokens('usual', 'hostile', 'busy', 'without'),
    EXTERNAL_SKILLS_FILE: await writeSkillHosts({
      [host_id]: [
        { tenant: 'usual', path: roots.repository },
        {
          tenant: 'usual',
          target_id: 'home',
          agent_kind: 'claude_code',
          installation_scope: 'user',
          path: join(folders, 'home'),
        },
        { tenant: 'hostile', path: roots.hostile },
        { tenant: 'busy', path: roots.busy },
      ],
    }),
  },
});
const usual = clientOf(service.url, 'usual');
const calls = externalSkillCalls(usual);
const { scanned, scanOne } = packagesBelow(roots.repository, calls);

afterAll(() => service.stop());

test('spec 40 scenario 26: a changed package is unavailable until it is scanned again', async () => {
  const scope = freshScope();
  const { directory, registration } = await scanned(scope, 'drifting', {
    'SKILL.md': skillText('drifting'),
    'references/notes.md': 'Notes.\n',
  });
  const id = registration.external_skill_id;
  const own = async (more = {}) =>
    (await calls.list(scope, more)).body.skills.find((one) => one.registration.external_skill_id === id);
  expect(await own()).toEqual({ registration, status: 'available', entrypoint: join(directory, 'SKILL.md') });
  await appendFile(join(directory, 'references/notes.md'), '.');
  expect(await own()).toBeUndefined();
  const unavailable = { registration, status: 'unavailable', entrypoint: null };
  expect(await own({ include_unavailable: true })).toEqual(unavailable);
  const resolved = await calls.resolve(scope, registration);
  expect([resolved.status, resolved.body]).toEqual([200, unavailable]);
  const imported = await calls.import(scope, registration);
  expect([imported.status, imported.error?.code]).toEqual([409, 'external_skill_snapshot_unavailable']);
  const again = await scanOne(scope, 'drifting');
  expect(again).toEqual({
    ...registration,
    fingerprint: expect.not.stringMatching(registration.fingerprint),
  });
  expect(await own()).toMatchObject({ status: 'available', registration: again });
  // The old version is another one, also while its files are not there.
  expect((await calls.resolve(scope, registration)).body).toEqual({ ...unavailable, registration: again });
  // An execute bit belongs to the version.
  await chmod(join(directory, 'references/notes.md'), 0o755);
  expect(await own()).toBeUndefined();
  await chmod(join(directory, 'references/notes.md'), 0o644);
  await rename(directory, `${directory}-moved`);
  expect(await own({ include_unavailable: true })).toMatchObject({ status: 'unavailable' });
  await rm(`${directory}-moved`, { recursive: true });
});

test('spec 40 scenarios 27 and 50: links, special files and hidden directories are never read through', async () => {
  const client = clientOf(service.url, 'hostile');
  const hostile = externalSkillCalls(client);
  const outside = await temporaryDirectory('outside');
  await writeSkill(outside, 'secret', { 'SKILL.md': skillText('secret', 'Nobody may read this.') });
  await writeFile(join(outside, 'linked.txt'), 'Nobody may read this.');
  const at = (name: string) => writeSkill(roots.hostile, name);
  await symlink('/etc/passwd', join(await at('absolute-link'), 'passwd'));
  await at('sibling');
  await symlink('../sibling/SKILL.md', join(await at('sibling-link'), 'other.md'));
  await promisify(execFile)('mkfifo', [join(await at('fifo'), 'pipe')]);
  await mkdir(join(roots.hostile, 'empty'));
  await link(join(outside, 'linked.txt'), join(await at('hard-link'), 'linked.txt'));
  const linkedFolder = await at('folder-link');
  await symlink(join(outside, 'secret'), join(linkedFolder, 'references'));
  await rm(join(await at('linked-entrypoint'), 'SKILL.md'));
  await symlink(join(outside, 'secret/SKILL.md'), join(roots.hostile, 'linked-entrypoint/SKILL.md'));
  await at('.hidden');
  await symlink(join(outside, 'secret'), join(roots.hostile, 'itself-a-link'));
  await writeFile(join(roots.hostile, 'a-file'), skillText('a-file'));
  await at('with space');
  await mkdir(Buffer.concat([Buffer.from(`${roots.hostile}/`), Buffer.from([0xff])]));
  await mkdir(Buffer.concat([Buffer.from(join(await at('latin'), '/')), Buffer.from([0xe9])]));
  const scope = freshScope();
  const scan = await hostile.scan(scope);
  expect(scan.body.registrations.map(({ name }) => name)).toEqual(['sibling']);
  expect(scan.body.skipped).toBe(10);
  const skippedNames = scan.body.skipped_items.map(({ name }) => name);
  expect(skippedNames).toHaveLength(10);
  expect(skippedNames).toEqual(expect.arrayContaining(['empty', 'with space', '\uFFFD']));
  const shown = (await hostile.list(scope, { include_unavailable: true })).body;
  expect(shown.skills).toHaveLength(1);
  const rows = await query(service.databaseUrl, 'SELECT * FROM external_skills');
  expect(JSON.stringify([scan.body, shown, rows])).not.toMatch(/Nobody may|secret|root:/);
  // A root may be named by a link; its packages are registered where they are.
  await rename(roots.hostile, `${roots.hostile}-real`);
  await symlink(`${roots.hostile}-real`, roots.hostile);
  const through = await hostile.scan(scope);
  expect(through.body.registrations[0]?.locator).toBe(join(`${roots.hostile}-real`, 'sibling'));
});

test('spec 40 scenario 28: a list during scans shows the complete old or the complete new set', async () => {
  const busy = externalSkillCalls(clientOf(service.url, 'busy'));
  const scope = freshScope();
  const names = (prefix: string) => Array.from({ length: 6 }, (_, index) => `${prefix}-${index}`);
  const staged = join(folders, 'staged');
  for (const prefix of ['even', 'odd']) {
    for (const name of names(prefix)) await writeSkill(join(staged, prefix), name);
  }
  await rename(join(staged, 'even'), roots.busy);
  await busy.scan(scope);
  let scans = 0;
  const scanning = (async () => {
    for (; scans < 100; scans += 1) {
      const isEven = scans % 2 === 0;
      await rename(roots.busy, join(staged, isEven ? 'even' : 'odd'));
      await rename(join(staged, isEven ? 'odd' : 'even'), roots.busy);
      expect((await busy.scan(scope)).body.registrations).toHaveLength(6);
    }
  })();
  const seen = new Set<string>();
  while (scans < 100) {
    const ids = (await busy.statuses(scope)).map(([id]) => String(id).split('/')[1]);
    seen.add(ids.join(' '));
  }
  await scanning;
  const complete = [names('even').join(' '), names('odd').join(' ')];
  expect([...seen].filter((set) => !complete.includes(set))).toEqual([]);
  const without = externalSkillCalls(clientOf(service.url, 'without'));
  for (const refused of [await without.scan(scope), await without.list(scope)]) {
    expect([refused.status, refused.error?.code]).toEqual([503, 'external_skill_registry_unavailable']);
  }
  const capabilities = async (tenant: string) =>
    (await clientOf(service.url, tenant).call('get_capabilities')).body.external_skill_registry;
  expect([await capabilities('busy'), await capabilities('without')]).toEqual([true, false]);
});

test('spec 40 §7: answers come in the order of the contract, and a scan without a Skill makes no Scope', async () => {
  const scope = freshScope();
  const unknown = { external_skill_id: 'codex:project:repository/none', fingerprint: '0'.repeat(64) };
  const codes = async (host: { host_id?: string }) => {
    const replies = [
      await calls.scan(scope, host),
      await calls.list(scope, host),
      await calls.resolve(scope, unknown, host),
      await calls.import(scope, unknown, 'fork', host),
    ];
    return replies.map(({ status, error }) => (error === undefined ? status : error.code));
  };
  expect(await codes({ host_id: 'elsewhere' })).toEqual(Array(4).fill('invalid_request'));
  const fresh = freshScope();
  expect((await calls.list(fresh)).body).toEqual({ skills: [] });
  expect((await usual.call('get_scope', { params: { scope_id: fresh } })).error?.code).toBe(
    'scope_not_found',
  );
  const [, , resolved, imported] = await codes({});
  expect([resolved, imported]).toEqual(['external_skill_not_found', 'external_skill_not_found']);
});

test('spec 70 scenario 39: a scan says why a directory is no Skill, and where', async () => {
  const scope = freshScope();
  const content = '---\nname: broken\ndescription: Use when: x\n---\n';
  await writeSkill(roots.repository, 'broken', { 'SKILL.md': content });
  const { skipped, skipped_items } = (await calls.scan(scope)).body;
  expect(skipped).toBe(1);
  expect(skipped_items).toEqual([
    {
      name: 'broken',
      message:
        'SKILL.md: Line 3, column 14: `description` has a colon and a blank. Put the value in double quotes.',
      line: 3,
      column: 14,
    },
  ]);
  await rm(join(roots.repository, 'broken'), { recursive: true });
});

test('spec 40 §7: Claude Code takes the name of the directory, and Codex demands one', async () => {
  const scope = freshScope();
  const nameless = { 'SKILL.md': '---\ndescription: Without a name.\n---\n' };
  await writeSkill(join(folders, 'home'), 'nameless', nameless);
  await writeSkill(roots.repository, 'nameless', nameless);
  const { registrations, skipped } = (await calls.scan(scope)).body;
  const found = registrations.filter(({ locator }) => locator.endsWith('/nameless'));
  expect(found).toMatchObject([
    { external_skill_id: 'claude_code:user:home/nameless', provider: 'claude_code', name: 'nameless' },
  ]);
  expect(skipped).toBe(1);
  // Roots come in the order of the file.
  expect(registrations.at(-1)?.external_skill_id).toBe('claude_code:user:home/nameless');
  await rm(join(roots.repository, 'nameless'), { recursive: true });
});

test('spec 40 §7: respond-async gives the job, which names the operation and has the result', async () => {
  const scope = freshScope();
  await writeSkill(roots.repository, 'asynchronous');
  const accepted = await usual.send(
    'POST',
    '/v1/external-skills/scan',
    { scope_id: scope },
    { prefer: 'respond-async' },
  );
  const { job_id } = accepted.json as { job_id: string };
  expect(accepted.status).toBe(202);
  const job = async () => (await usual.call('get_job', { params: { job_id } })).body;
  await waitUntil(async () => (await job()).status === 'succeeded');
  expect(await job()).toMatchObject({
    queue: 'external-skill-scan',
    operation: 'scan_external_skills',
    scope_id: scope,
    progress: 1,
    result: { registrations: expect.arrayContaining([expect.objectContaining({ name: 'asynchronous' })]) },
  });
});
