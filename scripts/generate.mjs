// Generates the Prisma client and the files that the kernel's database folder derives from prisma/schema. `prisma generate` never
// runs the schema engine, but looks for its binary first and would download it. Any executable satisfies the check, so that
// this works offline.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { prismaResults } from './generate-prisma-results.mjs';
import { keyDeclarations, tableColumns } from './generate-tables.mjs';
import { readPrismaModels } from './prisma-schema.mjs';

const generated = fileURLToPath(new URL('../packages/kernel/src/generated/', import.meta.url));

function generateClient() {
  const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
  const { status, error } = spawnSync(
    process.execPath,
    [join(dirname(manifest), 'build', 'index.js'), 'generate'],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    },
  );
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * The client would import its query compiler as a module of 2 MB of base64, and hold that text twice. Writes the bytes to a
 * file of their own, which the client reads instead: that takes 8 MB less memory of each process.
 */
async function extractQueryCompiler() {
  const file = join(generated, 'prisma', 'internal', 'class.ts');
  const source = await readFile(file, 'utf8');
  const importing = /const \{ wasm \} = await import\("([^"]+)"\)\s+return await decodeBase64AsWasm\(wasm\)/;
  const [, specifier] = importing.exec(source) ?? [];
  if (specifier === undefined)
    throw new Error('The generated Prisma Client loads its query compiler in another way.');
  const { resolve } = createRequire(join(generated, 'resolve.js'));
  const { wasm } = await import(pathToFileURL(resolve(specifier)).href);
  await writeFile(join(generated, 'prisma', 'internal', 'query-compiler.wasm'), Buffer.from(wasm, 'base64'));
  const reading = `const { readFile } = await import('node:fs/promises')
    return new WebAssembly.Module(await readFile(new URL('query-compiler.wasm', import.meta.url)))`;
  await writeFile(
    file,
    source.replace(importing, reading).replace(/async function decodeBase64AsWasm[\s\S]*?\n\}\n/, ''),
  );
}

generateClient();
await extractQueryCompiler();
const models = await readPrismaModels();
await writeFile(join(generated, 'prisma-results.ts'), prismaResults(models));
await writeFile(join(generated, 'keys.ts'), keyDeclarations());
await writeFile(join(generated, 'tables.ts'), tableColumns(models));
