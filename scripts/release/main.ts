// Builds the release (`npm run release`). `--image` fails without a container engine; `--no-image` builds none; `--dirty` takes a checkout
// with changes, and is for trying out.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildRelease } from './build-release.ts';
import { root } from './root.ts';
import { changedFiles } from './tracked-files.ts';

const target = join(root, 'dist', 'release');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      image: { type: 'boolean' },
      'no-image': { type: 'boolean' },
      dirty: { type: 'boolean' },
    },
  });
  const changed = changedFiles();
  if (changed.length > 0 && values.dirty !== true)
    throw new Error(`The checkout differs from its commit. Commit or remove:\n${changed.join('\n')}`);
  const image = values.image === true ? 'required' : values['no-image'] === true ? 'none' : 'optional';
  const { version, names, hasImage } = await buildRelease(target, { image });
  for (const name of [...names, 'SHA256SUMS']) {
    const kilobytes = Math.ceil(statSync(join(target, name)).size / 1024);
    process.stdout.write(`${join('dist', 'release', name)}  ${kilobytes} KiB\n`);
  }
  if (!hasImage && image === 'optional')
    process.stdout.write('Left out: the image, because no container engine answers.\n');
  process.stdout.write(`Release ${version} is built. docs/release.md says how to publish it.\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
