// Generates the Prisma client and the files that kernel/database derives from prisma/schema.prisma. `prisma generate` never
// runs the schema engine, but looks for its binary first and would download it. Any executable satisfies the check, so that
// this works offline.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prismaResults } from './generate-prisma-results.mjs';
import { tableColumns } from './generate-tables.mjs';
import { readPrismaModels } from './prisma-schema.mjs';

const generated = fileURLToPath(new URL('../packages/shared/src/generated/', import.meta.url));

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

generateClient();
const models = await readPrismaModels();
await writeFile(join(generated, 'prisma-results.ts'), prismaResults(models));
await writeFile(join(generated, 'tables.ts'), tableColumns(models));
