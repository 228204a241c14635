import { defineConfig } from 'vitest/config';
import { defineRun } from './packages/testing/src/test-runs.ts';

/** `npm run test:hosts`: the plugins in real agent hosts, with stubs of their models. */
export default defineConfig(
  defineRun([
    {
      name: 'hosts',
      include: ['services/api/tests/client/real-hosts/*.hosts.ts'],
      queue: 'postgres',
      isSlow: true,
    },
  ]),
);
