import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildImage } from '../../../scripts/release/image.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'continuity-image-'));
  vi.stubEnv('PATH', [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Puts a program `docker` before that of the machine. */
function installDocker(script: string): void {
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'docker'), 0o755);
}

test('without a container engine, the image is left out, or fails the release that asks for it', async () => {
  installDocker('exit 1');
  expect(await buildImage(folder, '1.2.3', { time: 1, isRequired: false })).toBeUndefined();
  await expect(buildImage(folder, '1.2.3', { time: 1, isRequired: true })).rejects.toThrow(
    'container engine',
  );
});

test('the image is an OCI archive with the time of the commit; a build that fails fails the release', async () => {
  installDocker(
    `[ "$1" = info ] && exit 0\necho "$SOURCE_DATE_EPOCH $*" > ${folder}/called\ntouch ${folder}/continuity-image-1.2.3.tar`,
  );
  const name = await buildImage(folder, '1.2.3', { time: 1_700_000_000, isRequired: true });
  expect(name).toBe('continuity-image-1.2.3.tar');
  expect(existsSync(join(folder, 'continuity-image-1.2.3.tar'))).toBe(true);
  const called = readFileSync(join(folder, 'called'), 'utf8');
  expect(called).toMatch(/^1700000000 buildx build /);
  expect(called).toContain(`type=oci,dest=${folder}/continuity-image-1.2.3.tar,name=continuity:1.2.3`);
  installDocker('[ "$1" = info ]');
  await expect(buildImage(folder, '1.2.3', { time: 1, isRequired: false })).rejects.toThrow('buildx');
});
