// Submits the Markdown files of a folder to a Scope. It needs Node 20 or newer, and no dependencies:
//
//   API=http://127.0.0.1:8000 SCOPE=my-project node markdown-folder-connector.mjs path/to/folder
//
// Each run submits the files that are new or changed since the last run. It is safe to stop and to repeat: the service stores
// an observation once. Set TOKEN if authentication is on.

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const { API = 'http://127.0.0.1:8000', SCOPE = 'notes', TOKEN } = process.env;
const [folder] = process.argv.slice(2);
if (folder === undefined) fail('Usage: node markdown-folder-connector.mjs <folder>');

/** Files between two commits of the checkpoint: the maximum that a run repeats after a crash. */
const batchSize = 50;

/** Maximum length of text evidence, in code points. */
const maxText = 200_000;

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Canonical JSON (RFC 8785) of a value without numbers. The manifest has none. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

// 1. The Source definition. A changed schema needs a new version.

const textEvidence = { name: 'service.builtin.text-evidence', version: '1' };
const definition = {
  name: 'markdown-file',
  version: '1',
  source_schema: {
    type: 'object',
    required: ['path', 'text'],
    properties: { path: { type: 'string', pattern: '\\.md$' }, text: { type: 'string' } },
  },
  projections: [{ key: textEvidence, schema: { type: 'object' } }],
};
const manifest = { ...definition, fingerprint: `sha256:${sha256(canonical(definition))}` };

// 2. An observation: one version of one file. The name has a digest of the text, so a changed file gets a new name.

function observationOf({ path, text, digest }) {
  const envelope = {
    name: `${path.length <= 200 ? path : sha256(path)}@${digest}`,
    definition_version: manifest.version,
    materialization: 'captured',
    description: null,
  };
  return {
    ...envelope,
    source_type: manifest.name,
    definition_fingerprint: manifest.fingerprint,
    payload: { ...envelope, path, text },
    projections: [
      {
        key: textEvidence,
        value: { source_type: manifest.name, source_id: envelope.name, content: text, metadata: { path } },
      },
    ],
  };
}

// 3. The checkpoint: a digest for each file.

const binding = {
  scope_id: SCOPE,
  binding_id: `markdown:${folder}`,
  connector_name: 'markdown-folder',
  connector_version: '1',
};

async function run() {
  await post('/v1/source-definitions/register', { manifest });
  const stored = await post('/v1/connector-checkpoints/get', { binding });
  let checkpoint = stored.checkpoint;
  const known = checkpoint?.files ?? {};
  const { files, skipped } = await readFiles();
  const changed = files.filter(({ path, digest }) => known[path] !== digest);

  // The checkpoint keeps unchanged files and drops deleted ones.
  const done = Object.fromEntries(
    files.filter(({ path }) => known[path] !== undefined).map(({ path }) => [path, known[path]]),
  );
  for (let start = 0; start < changed.length; start += batchSize) {
    const batch = changed.slice(start, start + batchSize);
    for (const file of batch) {
      await post('/v1/source-observations', { scope_id: SCOPE, observation: observationOf(file) });
      done[file.path] = file.digest;
    }
    // The batch is stored. If this process stops here, the next run submits it again without effect.
    checkpoint = await commit(checkpoint, { files: done });
  }
  if (canonical(checkpoint ?? {}) !== canonical({ files: done })) await commit(checkpoint, { files: done });
  return { submitted: changed.length, unchanged: files.length - changed.length, skipped };
}

/** Commits the checkpoint if it is still the one that this run read. Otherwise another run was faster, and this one fails. */
async function commit(expected, checkpoint) {
  await post('/v1/connector-checkpoints/commit', { binding, expected, checkpoint });
  return structuredClone(checkpoint);
}

async function readFiles() {
  const files = [];
  const skipped = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const place = join(folder, name);
    if (!name.endsWith('.md') || !(await stat(place)).isFile()) continue;
    const path = name.split(sep).join('/');
    const text = await readFile(place, 'utf8');
    const isText = text.trim() !== '' && [...text].length <= maxText && !text.includes('\0');
    if (isText) files.push({ path, text, digest: sha256(text).slice(0, 32) });
    else skipped.push(path);
  }
  return { files, skipped };
}

/** Sends a request. Follows `Retry-After`, of 1 s to 15 min, in up to five attempts, and throws on any other error. */
async function post(path, body) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(API + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(TOKEN && { authorization: `Bearer ${TOKEN}` }) },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
    if (!(retryAfter >= 0) || attempt === 5) throw new Error(`${path}: ${await response.text()}`);
    await pause(Math.min(900, Math.max(1, retryAfter)) * 1000);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

try {
  process.stdout.write(`${JSON.stringify(await run())}\n`);
} catch (error) {
  fail(error.message);
}
