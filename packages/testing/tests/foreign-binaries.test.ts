import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeForeignBinaries } from '../../../scripts/remove-foreign-binaries.ts';
import { temporaryDirectory } from '../src/index.ts';

test('the build keeps the binaries of its own platform alone', async () => {
  const folder = await temporaryDirectory('binaries');
  for (const platform of ['linux/x64', 'linux/arm64', 'darwin/arm64', 'win32/x64']) {
    mkdirSync(join(folder, 'napi-v6', platform), { recursive: true });
    writeFileSync(join(folder, 'napi-v6', platform, 'binding.node'), '');
  }
  removeForeignBinaries(folder, { platform: 'linux', arch: 'x64' });
  const kept = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.node'));
  expect(kept).toEqual([join('napi-v6', 'linux', 'x64', 'binding.node')]);
  removeForeignBinaries(join(folder, 'none'), { platform: 'linux', arch: 'x64' });
});
