// Deletes the binaries of other platforms from the runtime of the embedder, which brings those of all: 285 MB become 46 MB. `build.mjs`
// does this for a checkout, and the Dockerfile for the image.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the binaries in this repository. */
export const runtimeBinaries = fileURLToPath(
  new URL('../services/embedder/node_modules/onnxruntime-node/bin', import.meta.url),
);

/** `folder` has a folder for each version of Node-API, in it one for each operating system, and in that one for each processor. */
export function removeForeignBinaries(
  folder: string,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): void {
  for (const version of foldersIn(folder))
    for (const system of foldersIn(version))
      for (const processor of foldersIn(system))
        if (!processor.endsWith(join(platform, arch))) rmSync(processor, { recursive: true });
}

function foldersIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) removeForeignBinaries(runtimeBinaries);
