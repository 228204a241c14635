import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './root.ts';

const execute = promisify(execFile);
const maxOutput = 64 * 1024 * 1024;

/**
 * Builds the image as an OCI archive into the folder `target`, and resolves to its name. Undefined without a container engine; throws
 * then if the image `isRequired`.
 *
 * @param time of all files, in seconds
 */
export async function buildImage(
  target: string,
  version: string,
  { time, isRequired }: { time: number; isRequired: boolean },
): Promise<string | undefined> {
  const engine = await execute('docker', ['info']).catch((error: Error) => error);
  if (engine instanceof Error) {
    if (isRequired) throw new Error('The image needs a container engine: docker info fails.');
    return undefined;
  }
  const name = `continuity-image-${version}.tar`;
  const output = `type=oci,dest=${join(target, name)},name=continuity:${version},rewrite-timestamp=true`;
  await execute('docker', ['buildx', 'build', '--provenance=false', '--output', output, '.'], {
    cwd: root,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    maxBuffer: maxOutput,
  });
  return name;
}
