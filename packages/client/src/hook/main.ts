#!/usr/bin/env node
/**
 * Hook of agent hosts. The host starts it for each event, with the event as JSON on standard input.
 *
 *   continuity-hook.mjs [--host HOST] [--event EVENT]
 *   continuity-hook.mjs background --host HOST
 *
 * Standard output has the JSON of the host alone, standard error one line a failure. The exit code is always 0, and a host waits at
 * most two seconds (docs/agent-hosts.md).
 */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stateFolder } from '../local/user-state.ts';
import { backgroundMs, runBackground } from './background.ts';
import { Hook } from './hook.ts';
import { guessHost, hostShapes, type Payload } from './hosts/index.ts';
import { report, requestMs, startBackground } from './processes.ts';
import { readAll } from './read-all.ts';
import { readSettings } from './settings.ts';

export { openCodePlugin } from './opencode.ts';

/** Time limit of this process, in ms. */
const exitMs = 1_600;
/** Longest event, in bytes. A longer one is no text of a person. */
const maxEventBytes = 32 * 1024 * 1024;

async function main(args: string[]): Promise<void> {
  const isBackground = args[0] === 'background';
  // Also ends the process if the host never closes standard input.
  setTimeout(() => process.exit(0), isBackground ? backgroundMs : exitMs).unref();
  if (isBackground) {
    const state = stateFolder(process.env);
    const settings = readSettings(process.env, () => undefined);
    if (state !== undefined) await runBackground(settings, state, optionOf(args, '--host') ?? 'claude-code');
    return;
  }
  const payload = await readInput();
  await handle(optionOf(args, '--host') ?? guessHost(payload), optionOf(args, '--event'), payload);
}

async function handle(host: string, event: string | undefined, payload: Payload): Promise<void> {
  const shape = hostShapes[host];
  if (shape === undefined) throw new Error(`The host ${JSON.stringify(host)} is not known.`);
  const name = event ?? String(payload['hook_event_name']);
  const read = shape.read(name, payload);
  if (read === undefined) return;
  const hook = new Hook({
    host,
    settings: readSettings(process.env, report),
    state: stateFolder(process.env),
    signal: AbortSignal.timeout(requestMs),
    report,
    startBackground: () => startBackground(host),
  });
  const context = await hook.handle(read, shape.storesPromptAtOnce);
  if (context !== null && read.kind !== 'compaction')
    await write(JSON.stringify(shape.write(name, context, payload)));
}

function optionOf(args: string[], name: string): string | undefined {
  const index = args.indexOf(name);
  return index < 0 ? undefined : args[index + 1];
}

async function readInput(): Promise<Payload> {
  const input = await readAll(process.stdin, maxEventBytes);
  if (input.length > maxEventBytes) throw new Error('The event is longer than 32 MiB, and is not kept.');
  const payload: unknown = JSON.parse(input.toString());
  if (typeof payload !== 'object' || payload === null) throw new Error('The event is no JSON object.');
  return payload as Payload;
}

/** Writes to a host, which may have closed its end. */
function write(text: string): Promise<void> {
  process.stdout.on('error', () => process.exit(0));
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** Whether this file was started, and not imported by an adapter. */
function isStarted(): boolean {
  try {
    return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
  } catch {
    return false;
  }
}

if (isStarted()) {
  process.on('uncaughtException', (error) => {
    report(error.message);
    process.exit(0);
  });
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    report((error as Error).message);
  }
  process.exit(0);
}
