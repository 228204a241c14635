import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort, temporaryDirectory, waitUntil } from '@continuity/testing';
import { expect, test } from 'vitest';

test.each(['SIGHUP', 'SIGTERM'] as const)(
  '%s to npm, as at the end of its terminal, ends the service',
  async (signal) => {
    const directory = await temporaryDirectory('npm-start');
    // Of root's own directories PostgreSQL's account can enter none.
    await chmod(directory, 0o755);
    const port = await freePort();
    const npm = spawn('npm', ['start'], {
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      env: { ...process.env, DATA_DIR: directory, PORT: String(port) },
      stdio: 'ignore',
    });
    const isLive = () =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    try {
      await waitUntil(isLive, { timeoutMs: 180_000 });
      npm.kill(signal);
      await waitUntil(async () => !(await isLive()), { timeoutMs: 60_000 });
    } finally {
      npm.kill('SIGTERM');
    }
    expect(await isLive()).toBe(false);
  },
);
