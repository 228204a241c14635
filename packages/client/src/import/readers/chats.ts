import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fieldsOf } from '../../local/json-values.ts';
import { type FormatName, type Item, leftOut, type Session } from '../items.ts';
import { type JsonElement, splitElements } from '../json-elements.ts';
import { openSpool } from '../spool.ts';
import { openArchive } from '../zip.ts';
import type { SessionFile } from './session-file.ts';

/** How a chat service exports its conversations. */
export interface ChatFormat {
  format: FormatName;
  /** When a conversation began and was last written, in milliseconds; 0 if not known. */
  timesOf(conversation: Record<string, unknown>): { start: number; last: number };
  read(conversation: Record<string, unknown>): Generator<Item>;
}

export const conversationFile = /(?:^|\/)conversations[^/]*\.json$/;

/** Reads bytes of a file, or of a file in a ZIP. */
type ReadBytes = (start: number, end: number) => Promise<Buffer>;

/**
 * The conversations of an export, each as a session: `conversations.json`, alone or in a ZIP. An export has the newest first, so a first
 * pass finds where each one lies. A file in a ZIP is unpacked into a temporary file without a name.
 */
export async function chatSessions(
  file: SessionFile,
  format: ChatFormat,
  isZip: boolean,
): Promise<Session[]> {
  if (!isZip) {
    const stream = createReadStream(file.path, { highWaterMark: 1024 * 1024 });
    return await indexConversations(file, format, stream, readFrom(file.path));
  }
  const zip = await openArchive(file.path);
  try {
    const sessions: Session[] = [];
    for (const entry of zip.entries.filter(({ name }) => conversationFile.test(name))) {
      const spool = await openSpool();
      const stream = spool.write(await entry.open());
      sessions.push(...(await indexConversations(file, format, stream, spool.read)));
    }
    return sessions;
  } finally {
    zip.close();
  }
}

function readFrom(path: string): ReadBytes {
  return async (start, end) => {
    const file = await open(path);
    try {
      const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
      return buffer;
    } finally {
      await file.close();
    }
  };
}

async function indexConversations(
  file: SessionFile,
  format: ChatFormat,
  stream: AsyncIterable<Buffer>,
  readBytes: ReadBytes,
): Promise<Session[]> {
  const sessions: Session[] = [];
  for await (const element of splitElements(stream)) {
    const times = element.bytes === null ? { start: 0, last: 0 } : format.timesOf(parse(element.bytes) ?? {});
    sessions.push(toSession(file, format, times, element, readBytes));
  }
  return sessions;
}

function toSession(
  { path }: SessionFile,
  { format, read }: ChatFormat,
  times: { start: number; last: number },
  { start, end, bytes }: JsonElement,
  readBytes: ReadBytes,
): Session {
  const isTooLong = bytes === null;
  return {
    format,
    path,
    bytes: end - start,
    ...times,
    directory: null,
    scope: `chats:${format}`,
    resumes: false,
    read: async function* () {
      if (isTooLong) {
        yield leftOut('long_line');
        return;
      }
      const conversation = parse(await readBytes(start, end));
      if (conversation === undefined) yield leftOut('bad_line');
      else yield* read(conversation);
    },
  };
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    return fieldsOf(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}
