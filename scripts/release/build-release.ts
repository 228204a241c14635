import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildChart } from './chart.ts';
import { buildClientPackage } from './client/client-package.ts';
import { buildImage } from './image.ts';
import { buildPlugins } from './plugins.ts';
import { buildPythonPackage } from './python-package.ts';
import { writeServerJson } from './server-json.ts';
import { releaseTime } from './tracked-files.ts';
import { releaseVersion } from './version.ts';

/**
 * Builds every package of this version into the folder `target`, which it empties first, and `SHA256SUMS` of them. The files of one
 * commit have the same bytes each time, but for the image. Resolves to the names; `image` is missing without a container engine.
 */
export async function buildRelease(
  target: string,
  { image }: { image: 'optional' | 'required' | 'none' },
): Promise<{ version: string; names: string[]; hasImage: boolean }> {
  const version = releaseVersion();
  const time = releaseTime();
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const [client, python, chart, built] = await Promise.all([
    buildClientPackage(target, version, time),
    buildPythonPackage(target, version, time),
    buildChart(target, version, time),
    image === 'none' ? undefined : buildImage(target, version, { time, isRequired: image === 'required' }),
  ]);
  const plugins = buildPlugins(target, version);
  const server = writeServerJson(target, version);
  const names = [
    client,
    ...python,
    chart,
    plugins,
    server,
    ...(built === undefined ? [] : [built]),
  ].toSorted();
  const sums = names.map((name) => `${sha256(readFileSync(join(target, name)))}  ${name}\n`);
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
  return { version, names, hasImage: built !== undefined };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
