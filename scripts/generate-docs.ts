// Writes the documents that are derived from the contract and the settings. A test fails where they are not up to date.
import { mkdir, writeFile } from 'node:fs/promises';
import { generatedFiles } from './docs/generated-files.ts';
import { bundleHookProgram, hookProgramPath } from './docs/hook-program.ts';

const files = { ...generatedFiles(), [hookProgramPath]: await bundleHookProgram() };
for (const [path, content] of Object.entries(files)) {
  const file = new URL(`../${path}`, import.meta.url);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, content);
}
