import { threadId } from 'node:worker_threads';
import { defineThread } from '../../src/threads/thread.ts';

/** Tasks of the tests. */
export type Deed = 'answer' | 'spin' | 'hoard' | 'throw' | 'settings' | 'identify';

export const hostileThread = defineThread((deed: Deed): string => {
  switch (deed) {
    case 'answer':
      return 'answer';
    case 'spin':
      for (;;);
    case 'hoard': {
      const kept: number[][] = [];
      for (;;) kept.push(Array.from({ length: 1000 }, Math.random));
    }
    case 'throw':
      throw new Error('The task is broken.');
    case 'identify':
      return String(threadId);
    case 'settings':
      return Object.keys(process.env).join();
  }
});
