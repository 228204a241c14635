import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Modules of Node that take milliseconds to load. Most events of a host need none of them, so each is loaded at its first use. */
export const lazyModules = {
  get childProcess(): typeof import('node:child_process') {
    return require('node:child_process');
  },
  get crypto(): typeof import('node:crypto') {
    return require('node:crypto');
  },
  get http(): typeof import('node:http') {
    return require('node:http');
  },
  get https(): typeof import('node:https') {
    return require('node:https');
  },
};
