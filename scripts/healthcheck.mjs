#!/usr/bin/env node
// Health check of the container image, as a file without arguments: some engines split the arguments of a command at blanks.
// A process with LIVENESS_FILE, such as a worker, is live while it touches the file; any other one while it answers on PORT.
import { statSync } from 'node:fs';

/** A worker touches its file every 5 s while its event loop runs. */
const maxAgeMs = 30_000;

async function isLive({ LIVENESS_FILE: file, PORT: port = '8000' }) {
  if (file) return Date.now() - statSync(file).mtimeMs < maxAgeMs;
  const answer = await fetch(`http://127.0.0.1:${port}/health/live`);
  return answer.ok;
}

process.exit((await isLive(process.env).catch(() => false)) ? 0 : 1);
