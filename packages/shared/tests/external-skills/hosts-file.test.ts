import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSettings } from '@continuity/kernel/config';
import { loadSkillHosts } from '@continuity/shared/external-skills';
import { temporaryDirectory } from '@continuity/testing';
import { expect, test } from 'vitest';

const root = { target_id: 'home', agent_kind: 'codex', installation_scope: 'user', path: '/srv/skills' };
const host = { host_id: 'one', roots: [root] };

async function load(content: unknown, EXTERNAL_SKILLS_HOST_ID?: string) {
  const EXTERNAL_SKILLS_FILE = join(await temporaryDirectory('hosts'), 'hosts.json');
  await writeFile(EXTERNAL_SKILLS_FILE, typeof content === 'string' ? content : JSON.stringify(content));
  return loadSkillHosts({ EXTERNAL_SKILLS_FILE, EXTERNAL_SKILLS_HOST_ID });
}

test('the file names hosts and roots, and the only host is that of the process', async () => {
  expect(await load({ hosts: [host] })).toEqual({
    hosts: [{ host_id: 'one', roots: [{ tenant: 'default', ...root }] }],
    ownHostId: 'one',
  });
  const two = { hosts: [host, { ...host, host_id: 'two' }] };
  expect((await load(two)).ownHostId).toBeNull();
  expect((await load(two, 'two')).ownHostId).toBe('two');
});

test('without a file there are no hosts', async () => {
  expect(await loadSkillHosts(loadSettings({}))).toEqual({ hosts: [], ownHostId: null });
  expect(() => loadSettings({ EXTERNAL_SKILLS_HOST_ID: 'one' })).toThrow(
    'EXTERNAL_SKILLS_FILE must be set together with EXTERNAL_SKILLS_HOST_ID.',
  );
});

test('one target_id may serve two tenants and two hosts', async () => {
  const roots = [root, { ...root, tenant: 'acme' }];
  await expect(
    load({
      hosts: [
        { host_id: 'one', roots },
        { host_id: 'two', roots },
      ],
    }),
  ).resolves.toBeDefined();
});

const faults: [string, unknown, string][] = [
  ['what is no JSON', 'hosts:', 'is not a readable JSON file'],
  ['no host', { hosts: [] }, 'at hosts'],
  ['an unknown field', { hosts: [{ ...host, color: 'red' }] }, 'at hosts.0'],
  ['a host without roots', { hosts: [{ ...host, roots: [] }] }, 'at hosts.0.roots'],
  ['65 hosts', { hosts: Array.from({ length: 65 }, (_, n) => ({ ...host, host_id: `${n}` })) }, 'at hosts'],
  ['an unknown agent', { hosts: [{ ...host, roots: [{ ...root, agent_kind: 'other' }] }] }, 'agent_kind'],
  [
    'a target_id that is no slug',
    { hosts: [{ ...host, roots: [{ ...root, target_id: 'A b' }] }] },
    'target_id',
  ],
  ['an untrimmed host_id', { hosts: [{ ...host, host_id: ' one' }] }, 'host_id'],
  ['a NUL in a path', { hosts: [{ ...host, roots: [{ ...root, path: '/a\0' }] }] }, 'path'],
  ['a host_id twice', { hosts: [host, host] }, 'the host_id "one" twice'],
  [
    'a target_id twice',
    { hosts: [{ ...host, roots: [root, root] }] },
    'the target_id "home" twice for the host "one"',
  ],
  [
    'a relative path',
    { hosts: [{ ...host, roots: [{ ...root, path: 'skills' }] }] },
    'not absolute: "skills"',
  ],
];

test.each(faults)('a file with %s stops the process with a sentence', async (_name, content, sentence) => {
  const refusal = await load(content).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: 'SettingsError', message: expect.stringContaining(sentence) });
  expect(refusal).toMatchObject({ message: expect.stringMatching(/^EXTERNAL_SKILLS_FILE .*\.$/) });
});

test('a host that is not in the file and a missing file stop the process', async () => {
  await expect(load({ hosts: [host] }, 'two')).rejects.toThrow('EXTERNAL_SKILLS_HOST_ID is not a host_id');
  await expect(
    loadSkillHosts({ EXTERNAL_SKILLS_FILE: '/missing.json', EXTERNAL_SKILLS_HOST_ID: undefined }),
  ).rejects.toThrow('is not a readable JSON file');
});
