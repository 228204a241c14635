// Writes the documents that are derived from the contract and the settings. A test fails where they are not up to date.
import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './docs/generated-files.ts';

for (const [path, content] of Object.entries(generatedFiles())) {
  await writeFile(new URL(`../${path}`, import.meta.url), content);
}
