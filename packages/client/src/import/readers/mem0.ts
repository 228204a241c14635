import { createReadStream } from 'node:fs';
import { fieldsOf, textOf } from '../../local/json-values.ts';
import { type Item, leftOut, type Session } from '../items.ts';
import { splitElements } from '../json-elements.ts';
import type { SessionFile } from './session-file.ts';

/** Memories of mem0: a JSON list, also as the field `results` or `memories` of an object. */
export function mem0Session(file: SessionFile): Session {
  return {
    ...file,
    format: 'mem0',
    start: 0,
    last: file.modified,
    directory: null,
    scope: 'mem0:default',
    resumes: false,
    read: () => read(file.path),
  };
}

async function* read(path: string): AsyncGenerator<Item> {
  for await (const { bytes } of splitElements(createReadStream(path), ['results', 'memories'])) {
    if (bytes === null) yield leftOut('long_line');
    else yield toFact(bytes);
  }
}

function toFact(bytes: Buffer): Item {
  let record: Record<string, unknown>;
  try {
    record = fieldsOf(JSON.parse(bytes.toString('utf8')));
  } catch {
    return leftOut('bad_line');
  }
  const text =
    textOf(record['memory']) ?? textOf(fieldsOf(record['data'])['memory']) ?? textOf(record['text']);
  const id = textOf(record['id']) ?? textOf(record['hash']);
  if (text === undefined || id === undefined) return leftOut('bad_line');
  const owner = textOf(record['user_id']) ?? textOf(record['agent_id']) ?? 'default';
  return { type: 'fact', id: `mem0/${id}`, text, kind: 'fact', record, scope: `mem0:${owner}`, line: null };
}
