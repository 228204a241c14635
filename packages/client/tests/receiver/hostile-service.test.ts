import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteSkillAction } from '@continuity/contract/remote-skills';
import { type ZipEntry, zip } from '@continuity/testing/zip';
import { beforeEach, expect, test } from 'vitest';
import { type FakeService, packageOf } from './fake-service.ts';
import { leftovers, startEnrolled, startService, treeOf, type Workspace } from './workspace.ts';

let service: FakeService;
let workspace: Workspace;

beforeEach(async () => {
  ({ service, workspace } = await startEnrolled());
});

const skillFile: ZipEntry = {
  name: 'SKILL.md',
  content: '---\nname: check\ndescription: Checks.\n---\n\nRun it.\n',
};

/** Lets the service offer an archive, with the true digest of its bytes and the sizes that it claims. */
function offer(archive: Buffer, claims: Partial<NonNullable<RemoteSkillAction['package']>> = {}): void {
  const { ref } = packageOf('check', 1);
  const offered = {
    ...ref,
    archive_digest: createHash('sha256').update(archive).digest('hex'),
    archive_size: archive.length,
    ...claims,
  };
  service.publish('a', packageOf('check', 1));
  const action: RemoteSkillAction = {
    operation: 'install',
    generation: service.row('a').generation,
    artifact: { family: 'skill', artifact_id: 'a', revision: 1 },
    tree_digest: offered.tree_digest,
    skill_name: 'check',
    package: offered,
    expected_local: null,
    blocked_error_code: null,
  };
  service.override = (path) => {
    if (path.endsWith('/reconcile')) {
      return { status: 200, body: { scope_id: 's', target_id: service.targetId, actions: [action] } };
    }
    if (!path.endsWith('/download')) return undefined;
    return { status: 200, body: { package: offered, archive_base64: archive.toString('base64') } };
  };
}

/** Syncs, expects that nothing was written, and returns the state and the error of the publication. */
async function refusal(): Promise<[string, string | null]> {
  await workspace.sync();
  expect(await treeOf(join(workspace.project, '.agents'))).toEqual({ 'skills/': 'folder' });
  expect(await leftovers(workspace.project)).toEqual([]);
  expect(await readdir(join(workspace.project, '..'))).not.toContain('escaped');
  return service.shown('a');
}

const incompatible = ['incompatible', 'incompatible_package'];
const undelivered = ['delivery_failed', 'local_delivery_failed'];

test.each<[string, ZipEntry[]]>([
  ['a path that climbs', [skillFile, { name: '../../../escaped', content: 'x' }]],
  ['an absolute path', [skillFile, { name: '/tmp/escaped', content: 'x' }]],
  ['a path with backslashes', [skillFile, { name: '..\\escaped', content: 'x' }]],
  ['a link', [skillFile, { name: 'escaped', content: '/etc', mode: 0o120777 }]],
  ['a file below a link', [skillFile, { name: 'a', content: '/etc', mode: 0o120777 }, { name: 'a/passwd' }]],
  ['git settings', [skillFile, { name: '.git/config', content: 'x' }]],
  ['two spellings of a path', [skillFile, { name: 'skill.md', content: 'x' }]],
  ['no SKILL.md', [{ name: 'README.md', content: 'x' }]],
  [
    'a file larger than declared',
    [skillFile, { name: 'big', content: 'x'.repeat(99_999), method: 8, directory: { size: 10 } }],
  ],
  ['5 MiB of files', [skillFile, { name: 'big', content: Buffer.alloc(5 << 20), method: 8 }]],
])('refuses an archive with %s before anything is written', async (_name, entries) => {
  offer(zip(entries));
  expect(await refusal()).toEqual(incompatible);
});

test('refuses bytes that are no archive', async () => {
  offer(Buffer.from('PK'));
  expect(await refusal()).toEqual(incompatible);
});

test.each(['tree_digest', 'archive_digest'] as const)(
  'refuses bytes whose %s is another one',
  async (field) => {
    offer(packageOf('check', 1).archive, { [field]: '0'.repeat(64) });
    expect(await refusal()).toEqual(undelivered);
  },
);

test.each(['file_count', 'uncompressed_size', 'archive_size'] as const)(
  'refuses a wrong %s',
  async (field) => {
    const { archive, ref } = packageOf('check', 1);
    offer(archive, { [field]: ref[field] + 1 });
    expect(await refusal()).toEqual(undelivered);
  },
);

test('refuses the package of a Skill of another name', async () => {
  const { archive, ref } = packageOf('other', 1);
  offer(archive, ref);
  expect(await refusal()).toEqual(incompatible);
});

test('refuses an action whose name is a path, and does nothing', async () => {
  service.publish('a', packageOf('check', 1));
  service.override = (path) =>
    path.endsWith('/reconcile')
      ? JSON.stringify({
          scope_id: 's',
          target_id: service.targetId,
          actions: [{ operation: 'unpublish', skill_name: '../../..', generation: 0 }],
        })
      : undefined;
  await expect(workspace.sync()).rejects.toThrow('without an answer of the service');
  expect(service.paths()).toEqual(['enroll', 'reconcile']);
});

test('an answer for another target stops the Receiver', async () => {
  service.publish('a', packageOf('check', 1));
  service.override = (path) =>
    path.endsWith('/reconcile')
      ? { status: 200, body: { scope_id: 's', target_id: 'codex-9', actions: [] } }
      : undefined;
  await expect(workspace.sync()).rejects.toThrow('answers for the target codex-9');
});

test('an answer over 8 MiB is not read, and a redirect is not followed', async () => {
  service.publish('a', packageOf('check', 1));
  service.override = (path) => (path.endsWith('/download') ? `"${'x'.repeat(8_388_608)}"` : undefined);
  await workspace.sync();
  expect(service.shown('a')).toEqual(undelivered);

  const other = await startService();
  service.override = () => ({
    status: 307,
    body: '',
    headers: { location: `${other.url}/v1/skill/remote/reconcile` },
  });
  await expect(workspace.sync()).rejects.toThrow('HTTP 307');
  expect(other.requests).toEqual([]);
});
