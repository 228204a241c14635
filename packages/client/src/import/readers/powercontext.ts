import { type Fields, fieldsOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type Session, toTime } from '../items.ts';
import { parseLine, splitLines } from '../lines.ts';
import { openArchive, UnreadableArchive } from '../zip.ts';
import type { SessionFile } from './session-file.ts';

const recordsFile = 'records.ndjson';

/** A portable archive of PowerContext: the active entries of its Memory, and its Sources of the type `content`. */
export function powercontextSession(file: SessionFile): Session {
  return {
    ...file,
    format: 'powercontext',
    start: 0,
    last: file.modified,
    directory: null,
    scope: 'powercontext',
    resumes: false,
    read: () => read(file.path),
  };
}

/** Reads the archive twice: the heads, which say what is active, stand behind the versions. */
async function* read(path: string): AsyncGenerator<Item> {
  const active = new Set<string>();
  for await (const { record } of records(path)) {
    if (record['record_type'] !== 'memory_entry_head') continue;
    const { scope_id, memory_artifact_id } = fieldsOf(record['identity']);
    active.add(keyOf(scope_id, memory_artifact_id, fieldsOf(record['payload'])['entry_version_id']));
  }
  for await (const { record, line, isBad } of records(path)) {
    if (isBad) yield leftOut('bad_line', line);
    else yield* readRecord(record, line, active);
  }
}

interface ArchiveRecord {
  record: Fields;
  line: number;
  isBad: boolean;
}

/** The records of an archive. Throws `UnreadableArchive`. */
async function* records(path: string): AsyncGenerator<ArchiveRecord> {
  const zip = await openArchive(path);
  try {
    const entry = zip.entries.find(({ name }) => name === recordsFile);
    if (entry === undefined) throw new UnreadableArchive(`${path} has no ${recordsFile}.`);
    for await (const line of splitLines(await entry.open())) {
      if (line.bytes?.length === 0) continue;
      const parsed = parseLine(line);
      yield { record: fieldsOf(parsed), line: line.number, isBad: parsed === undefined };
    }
  } finally {
    zip.close();
  }
}

function* readRecord(record: Fields, line: number, active: ReadonlySet<string>): Generator<Item> {
  const identity = fieldsOf(record['identity']);
  const payload = fieldsOf(record['payload']);
  const scope = textOf(identity['scope_id']) ?? 'powercontext';
  if (record['record_type'] === 'memory_entry_version') {
    const version = identity['entry_version_id'];
    if (!active.has(keyOf(scope, identity['memory_artifact_id'], version))) return;
    const id = `powercontext/${identity['memory_artifact_id']}/${payload['entry_id']}`;
    const text = textOf(payload['text']) ?? '';
    const kind = textOf(payload['kind']) ?? 'fact';
    const kept = { ...identity, entry_id: payload['entry_id'], version: payload['version'], kind, text };
    yield { type: 'fact', id, text, kind, record: kept, scope, line };
  }
  if (record['record_type'] === 'source' && identity['source_type'] === 'content') {
    const { text, time } = sourceText(payload['payload']);
    const id = `powercontext/${identity['source_id']}`;
    const metadata = { kind: 'document', host: 'powercontext' };
    yield { type: 'document', id, text, time, metadata, scope, line };
  }
}

function keyOf(...parts: unknown[]): string {
  return JSON.stringify(parts);
}

/** The text of a Source: JSON in Base64, which is a text or has one as its content. */
function sourceText(payload: unknown): { text: string; time: string | null } {
  const bytes = Buffer.from(textOf(fieldsOf(payload)['base64']) ?? '', 'base64').toString('utf8');
  try {
    const value: unknown = JSON.parse(bytes);
    const fields = fieldsOf(value);
    const { content } = 'materialization' in fields ? fieldsOf(fields['materialization']) : fields;
    const text = textOf(value) ?? textOf(content) ?? textOf(fields['content']) ?? textOf(fields['text']);
    return {
      text: text ?? (content === undefined ? '' : JSON.stringify(content)),
      time: toTime(fields['occurred_at']),
    };
  } catch {
    return { text: bytes, time: null };
  }
}
