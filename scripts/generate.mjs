// Writes the Prisma client from prisma/schema.prisma. `prisma generate` never runs the schema engine, but looks
// for its binary first and would download it; any executable satisfies that look, so that this works offline.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('prisma', ['generate'], {
  stdio: 'inherit',
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
});
process.exit(status ?? 1);
