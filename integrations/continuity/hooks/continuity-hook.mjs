#!/usr/bin/env node
/**
 * Hook of agent hosts such as Claude Code. The host starts it for each event, and passes the event as JSON on standard input, with
 * `hook_event_name`, `session_id` and `cwd`.
 *
 *   Event             Its field                 Effect
 *   UserPromptSubmit  `prompt`                  prints the prepared context, and captures the prompt as a Source
 *   Stop              `last_assistant_message`  captures the answer as a Source
 *   SessionEnd                                  starts a background process that flushes Memory and commits a Handoff
 *
 * - The host waits at most two seconds.
 * - No failure stops the host: the exit code is always 0, and the reason is one line on standard error.
 * - Hosts copy this folder out of the repository. So it is plain JavaScript, and imports only modules of Node 20 and `credentials.mjs`.
 *
 * Settings: CONTINUITY_URL, CONTINUITY_TOKEN, CONTINUITY_SCOPE, CONTINUITY_CAPTURE (docs/agent-hosts.md).
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { CONTINUITY_URL, CONTINUITY_TOKEN, CONTINUITY_SCOPE, CONTINUITY_CAPTURE, XDG_STATE_HOME } =
  process.env;

/** Time limits in ms: of the requests of an event, and of this process. With its start, it takes at most two seconds. */
const requestMs = 1_400;
const exitMs = 1_600;
/** Time limit of each request after a session, in ms. Nobody waits for it. */
const afterSessionMs = 120_000;
/** Limits of the service: a query, the content of a Source, an objective, and the evidence of a Handoff. */
const maxQuery = 8_192;
const maxContent = 200_000;
const maxObjective = 8_192;
const maxEvidence = 32;
/** Age in ms at which the file of a session that never ended is removed. */
const forgottenMs = 30 * 86_400_000;

const sessions = join(XDG_STATE_HOME || join(homeOrExit(), '.local', 'state'), 'continuity', 'sessions');

const events = { UserPromptSubmit: onPrompt, Stop: onAnswer, SessionEnd: onSessionEnd };

async function onPrompt(session, { prompt }, signal) {
  if (!hasText(prompt)) return;
  const query = cut(prompt, maxQuery);
  const [prepared, captured] = await Promise.allSettled([
    prepare({ scope_id: session.scopeId, query }, signal),
    capture(session, 'prompt', prompt, signal),
  ]);
  if (prepared.value?.status === 'ready') {
    const additionalContext = prepared.value.content;
    const hookSpecificOutput = { hookEventName: 'UserPromptSubmit', additionalContext };
    process.stdout.write(JSON.stringify({ hookSpecificOutput }));
  }
  for (const { reason } of [prepared, captured]) if (reason !== undefined) report(reason);
}

/** Prepares a compact context. A service of an older release does not know the field `format`: it prepares its own. */
async function prepare(request, signal) {
  try {
    return await call('/v1/context/prepare', { ...request, format: 'compact' }, signal);
  } catch (error) {
    if (!error.issues?.some(({ path }) => path === 'format')) throw error;
    return await call('/v1/context/prepare', request, signal);
  }
}

async function onAnswer(session, { last_assistant_message: answer }, signal) {
  if (hasText(answer)) await capture(session, 'answer', answer, signal);
}

async function onSessionEnd(session) {
  if (!existsSync(session.file)) return;
  const after = spawn(process.execPath, [fileURLToPath(import.meta.url), 'after-session'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  after.stdin.end(JSON.stringify(session));
  after.unref();
}

/** Captures a text as a Source, and notes it as evidence for the Handoff of the session. */
async function capture({ id, scopeId, cwd, file }, role, text, signal) {
  if (CONTINUITY_CAPTURE === 'off') return;
  const source_id = `${id}/${role}/${randomUUID()}`;
  const metadata = { kind: `agent-${role}`, session_id: id, directory: cwd };
  await call(
    '/v1/sources/content',
    { scope_id: scopeId, source_id, content: cut(text, maxContent), metadata },
    signal,
  );
  await mkdir(sessions, { recursive: true, mode: 0o700 });
  const note = { source_id, ...(role === 'prompt' && { objective: await objectiveOf(text) }) };
  await appendFile(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** The beginning of a prompt without its credentials: a Handoff is read by others. Undefined if the rules are missing. */
async function objectiveOf(prompt) {
  try {
    const { redactCredentials } = await import('./credentials.mjs');
    // A credential at the limit is read whole.
    const { text } = redactCredentials(cut(prompt, maxObjective + 1_000), 'standard');
    return cut(text, maxObjective);
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** Flushes the captured Sources into Memory, then commits a Handoff whose objective is the first prompt of the session. */
async function afterSession({ scopeId, file }) {
  const limit = () => AbortSignal.timeout(afterSessionMs);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const notes = lines.map((line) => JSON.parse(line));
  const { objective } = notes.find((note) => note.objective !== undefined) ?? {};
  await call('/v1/memory/flush', { scope_id: scopeId }, limit());
  if (objective !== undefined) await commitHandoff(scopeId, objective, notes.slice(-maxEvidence), limit);
  await rm(file, { force: true });
  await forgetOldSessions();
}

async function commitHandoff(scope_id, objective, notes, limit) {
  const sources = notes.map(({ source_id }) => ({ name: 'content', source_id }));
  const boundary_source = sources.pop();
  const evidence = sources.map((source_ref) => ({ kind: 'source', source_ref }));
  const activation = { scope_id, boundary_source, objective, evidence };
  const { status, draft } = await call('/v1/handoff/activate', activation, limit());
  if (status !== 'generated') return;
  const handoff = await call('/v1/handoff/finalize', { scope_id, draft }, limit());
  await call('/v1/handoff/commit', { scope_id, handoff }, limit());
}

async function forgetOldSessions() {
  for (const name of await readdir(sessions)) {
    const file = join(sessions, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > forgottenMs) await rm(file, { force: true });
  }
}

/** Posts to the service and returns the answer. Throws an error with the message of the service, and the `issues` of a 422. */
async function call(path, body, signal) {
  const response = await fetch(`${(CONTINUITY_URL || 'http://127.0.0.1:8000').replace(/\/+$/, '')}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(CONTINUITY_TOKEN && { authorization: `Bearer ${CONTINUITY_TOKEN}` }),
    },
    body: JSON.stringify(body),
    signal,
  });
  const answer = await response.json();
  if (!response.ok) {
    const { message = `HTTP ${response.status}`, details } = answer?.error ?? {};
    throw Object.assign(new Error(message), { issues: details?.issues });
  }
  return answer;
}

/** The session of an event. Without CONTINUITY_SCOPE, the repository's folder names its Scope. */
function sessionOf({ session_id, cwd = process.cwd() }) {
  const id = String(session_id || 'session').slice(0, 128);
  const name = createHash('sha256').update(`${id}\0${cwd}`).digest('hex').slice(0, 32);
  const scopeId = CONTINUITY_SCOPE || `project:${basename(repositoryOf(cwd)) || 'root'}`;
  return { id, cwd, scopeId, file: join(sessions, `${name}.jsonl`) };
}

function repositoryOf(directory) {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return directory;
  }
}

/** The home folder. A user without one, such as that of a container, has no place for sessions: the host continues without the hook. */
function homeOrExit() {
  try {
    return homedir();
  } catch {
    process.stderr.write('continuity: This user has no home folder. Set HOME or XDG_STATE_HOME.\n');
    process.exit(0);
  }
}

function report(error) {
  process.stderr.write(`continuity: ${error.cause?.message || error.message}\n`);
}

function hasText(value) {
  return typeof value === 'string' && value.trim() !== '';
}

/** The first `length` characters. Never ends in half of a surrogate pair. */
function cut(text, length) {
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('')
    .toWellFormed();
}

async function readInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const isAfterSession = process.argv[2] === 'after-session';
// Also ends the process if the host never closes standard input.
if (!isAfterSession) setTimeout(() => process.exit(0), exitMs).unref();
try {
  const input = await readInput();
  if (isAfterSession) await afterSession(input);
  else await events[input.hook_event_name]?.(sessionOf(input), input, AbortSignal.timeout(requestMs));
} catch (error) {
  report(error);
}
