import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type FakeService, packageOf } from './fake-service.ts';
import { intercept } from './file-system-faults.ts';
import { startEnrolled, treeOf, type Workspace } from './workspace.ts';

let service: FakeService;
let workspace: Workspace;

beforeEach(async () => {
  ({ service, workspace } = await startEnrolled());
  service.publish('a', packageOf('check', 1));
  await workspace.sync();
});

/** Folders of the Receiver. */
const swapped = [
  '.agents',
  '.agents/skills',
  '.agents/.skill-receiver',
  '.service',
  '.service/skill-receiver',
];

// Other platforms have no path that leads into an open folder.
test
  .runIf(process.platform === 'linux')
  .each(
    swapped.flatMap((name) =>
      (['open', 'mkdir', 'rename', 'unlink', 'rmdir'] as const).map((call) => [name, call] as const),
    ),
  )(
  'spec 40 scenario 56: %s that becomes a link before any %s: nothing is changed behind the link',
  async (name, call) => {
    const elsewhere = await temporaryDirectory('elsewhere');
    await mkdir(join(elsewhere, 'skills/check/scripts'), { recursive: true });
    await mkdir(join(elsewhere, 'skill-receiver'));
    await writeFile(join(elsewhere, 'skills/check/SKILL.md'), 'theirs');
    const before = await treeOf(elsewhere);
    const place = join(workspace.project, name);
    let calls = 0;
    for (let at = 1; at === 1 || calls >= at - 1; at += 1) {
      calls = 0;
      let isSwapped = false;
      service.publish('a', packageOf('check', at + 1));
      const swap = async () => {
        calls += 1;
        if (calls !== at) return;
        isSwapped = await rename(place, `${place}-moved`).then(
          () => true,
          () => false,
        );
        if (isSwapped) await symlink(elsewhere, place);
      };
      await intercept(call, swap, () => workspace.sync()).catch(() => undefined);
      expect(await treeOf(elsewhere), `${call} ${at}`).toEqual(before);
      if (isSwapped) {
        await rm(place);
        await rename(`${place}-moved`, place);
      }
    }
    expect(calls).toBeGreaterThan(0);
    await workspace.sync();
    expect(service.shown('a')).toEqual(['current', null]);
  },
);

test.runIf(process.platform === 'linux')(
  'a process that exchanges folders for links all the time redirects no write',
  async () => {
    const elsewhere = await temporaryDirectory('elsewhere');
    await mkdir(join(elsewhere, 'skills'), { recursive: true });
    const script = `
      const { renameSync, symlinkSync, rmSync } = require('node:fs');
      const [place, elsewhere] = process.argv.slice(1);
      process.stdout.write('ready');
      for (;;) {
        try {
          renameSync(place, place + '-moved');
          symlinkSync(elsewhere, place);
          for (let i = 0; i < 20_000; i += 1);
          rmSync(place);
          renameSync(place + '-moved', place);
        } catch {}
      }`;
    const swapper = spawn(process.execPath, ['-e', script, join(workspace.project, '.agents'), elsewhere]);
    onTestFinished(() => void swapper.kill('SIGKILL'));
    await once(swapper.stdout, 'data');
    for (let revision = 2; revision < 40; revision += 1) {
      service.publish('a', packageOf('check', revision));
      await workspace.sync().catch(() => undefined);
    }
    swapper.kill('SIGKILL');
    await once(swapper, 'close');
    expect(await treeOf(elsewhere)).toEqual({ 'skills/': 'folder' });
  },
);
