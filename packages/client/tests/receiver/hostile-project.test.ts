import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, lchown, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { enroll, unenroll } from '../../src/receiver/enroll.ts';
import { readStatus } from '../../src/receiver/status.ts';
import { type FakeService, packageOf } from './fake-service.ts';
import { agent, enrollOptions, startEnrolled, treeOf, type Workspace } from './workspace.ts';

let service: FakeService;
let workspace: Workspace;

beforeEach(async () => {
  ({ service, workspace } = await startEnrolled());
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
});

const isRoot = process.geteuid?.() === 0;
const stranger = 12_345;

test.runIf(isRoot)(
  'spec 40 scenario 56: a project of another user is refused, and nothing is written there',
  async () => {
    await chown(workspace.project, stranger, stranger);
    service.publish('a', packageOf('check', 2));
    const before = await treeOf(workspace.project);
    for (const act of [
      () => workspace.sync(),
      () => enroll(enrollOptions(service, workspace.project, { replaces: true })),
      () => readStatus({ project: workspace.project, agent }),
      () => unenroll({ project: workspace.project, agent }),
    ]) {
      await expect(act()).rejects.toMatchObject({
        name: 'ReceiverError',
        message: `${workspace.project} belongs to the user ${stranger}, and this process runs as the user 0. Run the Receiver as the owner of the project.`,
      });
    }
    expect(await treeOf(workspace.project)).toEqual(before);
  },
);

test.runIf(isRoot)('a link of another user on the way to a project is refused', async () => {
  const parent = await temporaryDirectory('parent');
  await symlink(workspace.project, join(parent, 'direct'));
  await symlink(join(workspace.project, '..'), join(parent, 'above'));
  const above = join(parent, 'above', workspace.project.slice(workspace.project.lastIndexOf('/') + 1));
  for (const project of [join(parent, 'direct'), above]) {
    expect(await readStatus({ project, agent })).toMatchObject({ workspace: workspace.project });
  }
  for (const name of ['direct', 'above']) await lchown(join(parent, name), stranger, stranger);
  for (const project of [join(parent, 'direct'), above]) {
    await expect(readStatus({ project, agent })).rejects.toThrow(`is a link of the user ${stranger}`);
  }
});

test.runIf(isRoot).each(['.agents', '.agents/skills'])(
  'a root in %s of another user fails every action',
  async (name) => {
    await chown(join(workspace.project, name), stranger, stranger);
    service.publish('b', packageOf('other', 1));
    const { problems } = await workspace.sync();
    expect(problems).toContainEqual(
      expect.objectContaining({ state: 'conflict', message: expect.stringContaining('belongs to the user') }),
    );
    expect(await readdir(workspace.skills)).toEqual(['check']);
  },
);

test.runIf(isRoot).each(['.service', '.service/skill-receiver'])(
  'private state in %s of another user is not used',
  async (name) => {
    await chown(join(workspace.project, name), stranger, stranger);
    await expect(workspace.sync()).rejects.toThrow('belongs to the user');
  },
);

/** Makers of entries that are neither a file nor a folder. A reader of the first one waits for a writer. */
const makers: Record<string, (path: string) => Promise<unknown>> = {
  'a FIFO': async (path) => execFileSync('mkfifo', [path]),
  'a device': async (path) => execFileSync('mknod', [path, 'c', '1', '5']),
  'a socket': async (path) => {
    // The path of a socket has at most 107 bytes.
    const folder = await mkdtemp('/tmp/socket-');
    const server = createServer().listen(join(folder, 's'));
    await once(server, 'listening');
    await rename(join(folder, 's'), path);
    onTestFinished(() => {
      server.close();
      return rm(folder, { recursive: true });
    });
  },
  'a folder': (path) => mkdir(path),
  'a link': (path) => symlink('/dev/zero', path),
};

/** Files of the Receiver, below the project. */
const files = async () => {
  const state = `.service/skill-receiver/${service.targetId}`;
  const [checkpoint = ''] = await readdir(join(workspace.project, state, 'checkpoints'));
  return [
    '.service/.gitignore',
    '.service/skill-receiver/codex.json',
    '.service/skill-receiver/codex.lock',
    `${state}/checkpoints/${checkpoint}`,
    `${state}/journals/${checkpoint}`,
    `${state}/last-sync.json`,
    `${state}/checkpoints/more.json`,
    '.agents/skills/check/SKILL.md',
    '.agents/skills/check/notes',
    '.agents/skills/other',
  ];
};

test.runIf(process.platform === 'linux' && isRoot).each(Object.keys(makers))(
  'spec 40 scenario 57: %s in place of any file never hangs the Receiver',
  async (kind) => {
    service.publish('b', packageOf('other', 1));
    for (const name of await files()) {
      const path = join(workspace.project, name);
      await rename(path, `${path}-kept`).catch(() => undefined);
      await makers[kind]?.(path);
      const outcome = await Promise.all([
        workspace.sync().then(({ problems }) => problems.map(({ message }) => message), String),
        readStatus({ project: workspace.project, agent }).then(() => '', String),
      ]);
      // What replaces the file as a whole, such as the last sync, is written anew.
      expect(JSON.stringify(outcome), name).not.toMatch(/TypeError|EISDIR|ELOOP|ENXIO|\/proc\/self/);
      await rm(path, { recursive: true, force: true });
      await rename(`${path}-kept`, path).catch(() => undefined);
    }
    await workspace.sync();
    expect(service.shown('a')).toEqual(['current', null]);
    expect(service.shown('b')).toEqual(['current', null]);
  },
);

test('messages name files as people know them', async () => {
  const path = join(workspace.project, '.service/skill-receiver/codex.json');
  await rm(path);
  await mkdir(path);
  await expect(workspace.sync()).rejects.toThrow(`${path} is no regular file. Move it away.`);
});
