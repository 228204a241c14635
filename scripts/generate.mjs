// Writes the Prisma client from prisma/schema.prisma. `prisma generate` never runs the schema engine, but looks
// for its binary first and would download it; any executable satisfies that look, so that this works offline.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
process.exit(status ?? 1);
