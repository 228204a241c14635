import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.runIf(process.platform === 'linux')(
  'the event loop goes before threads and garbage collection',
  async () => {
    const program = fileURLToPath(new URL('./print-priorities.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const { loop, thread, collectors } = JSON.parse(stdout);
    const lowered = Math.min(getPriority() + 10, 19);
    expect({ loop, thread }).toEqual({ loop: getPriority(), thread: lowered });
    expect(new Set(collectors)).toEqual(new Set([lowered]));
  },
);
