import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['{packages,services}/*/tests/**/*.test.ts', 'bench/tests/**/*.test.ts'] },
});
