import { type Fields, fieldsOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type Session, toTime } from '../items.ts';
import { type Line, parseLine, readLines, splitLines } from '../lines.ts';
import type { SessionFile } from './session-file.ts';

/** Lines `{ id, text, scope_id?, role?, kind?, occurred_at?, metadata? }`. A `kind` makes an entry. */
export function ndjsonSession(file: SessionFile): Session {
  const lines = () => (file.path === '-' ? splitLines(process.stdin) : readLines(file.path));
  return {
    ...file,
    format: 'ndjson',
    start: 0,
    last: file.modified,
    directory: null,
    scope: null,
    resumes: false,
    read: async function* () {
      for await (const line of lines()) if (line.bytes?.length !== 0) yield toItem(line);
    },
  };
}

function toItem(line: Line): Item {
  const { number, bytes } = line;
  if (bytes === null) return leftOut('long_line', number);
  const record: Fields = fieldsOf(parseLine(line));
  const id = typeof record['id'] === 'number' ? String(record['id']) : textOf(record['id']);
  const text = textOf(record['text']);
  if (id === undefined || text === undefined) return leftOut('bad_line', number);
  const common = { id: `ndjson/${id}`, text, scope: textOf(record['scope_id']) ?? null, line: number };
  const kind = textOf(record['kind']);
  if (kind !== undefined) return { type: 'fact', kind, record, ...common };
  const role = textOf(record['role']);
  const metadata = { ...fieldsOf(record['metadata']), ...(role !== undefined && { role }) };
  return { type: 'document', time: toTime(record['occurred_at']), metadata, ...common };
}
