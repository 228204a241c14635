import { extname } from 'node:path';
import { fieldsOf, listOf } from '../local/json-values.ts';
import type { FormatName } from './items.ts';
import { splitElements } from './json-elements.ts';
import { conversationFile } from './readers/chats.ts';
import { headOf, readHead } from './readers/session-file.ts';
import { openArchive, type ZipEntry } from './zip.ts';

/** Whether a file begins as a ZIP does. */
export function isZipHead(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32LE(0) === 0x04034b50;
}

/** The format of a file, told by its content; undefined for one of no known format. */
export async function detectFile(path: string): Promise<FormatName | undefined> {
  const head = await readHead(path);
  if (isZipHead(head)) return await detectZip(path);
  if (head.toString('latin1', 0, 15) === 'SQLite format 3') return 'opencode';
  const extension = extname(path).toLowerCase();
  if (extension === '.md' || extension === '.markdown') return 'markdown';
  const text = head.toString('utf8').trimStart();
  if (text.startsWith('[')) return await detectList(head);
  if (!text.startsWith('{')) return undefined;
  const [first] = await headOf(path);
  return first === undefined
    ? detectObject(text)
    : (detectLine(fieldsOf(first), await headOf(path)) ?? detectObject(text));
}

async function detectZip(path: string): Promise<FormatName | undefined> {
  const zip = await openArchive(path);
  try {
    const names = zip.entries.map(({ name }) => name);
    if (names.includes('manifest.json') && names.includes('records.ndjson')) return 'powercontext';
    const conversations = zip.entries.find(({ name }) => conversationFile.test(name));
    return conversations === undefined ? undefined : await detectConversations(conversations);
  } finally {
    zip.close();
  }
}

async function detectConversations(entry: ZipEntry): Promise<FormatName | undefined> {
  for await (const { bytes } of splitElements(await entry.open())) {
    if (bytes !== null) return detectElement(fieldsOf(JSON.parse(bytes.toString('utf8'))));
  }
  return undefined;
}

/** By the first element, or where that is long, by the fields in its beginning. */
async function detectList(head: Buffer): Promise<FormatName | undefined> {
  for await (const { bytes } of splitElements(
    (async function* () {
      yield head;
    })(),
  )) {
    if (bytes !== null) return detectElement(fieldsOf(JSON.parse(bytes.toString('utf8'))));
  }
  const text = head.toString('utf8');
  if (text.includes('"mapping"')) return 'chatgpt';
  return text.includes('"chat_messages"') ? 'claude-ai' : undefined;
}

function detectElement(element: Record<string, unknown>): FormatName | undefined {
  if ('mapping' in element) return 'chatgpt';
  if ('chat_messages' in element) return 'claude-ai';
  return 'memory' in element || 'hash' in element ? 'mem0' : undefined;
}

/** One JSON object over several lines, by the fields in its beginning. */
function detectObject(text: string): FormatName | undefined {
  const has = (...names: string[]) => names.every((name) => new RegExp(`"${name}"\\s*:`).test(text));
  if (has('sessionId', 'messages')) return 'gemini';
  if (has('agents') || has('core_memory') || has('agent_type')) return 'letta';
  return (has('results') || has('memories')) && has('memory') ? 'mem0' : undefined;
}

/** The format of JSON Lines. */
function detectLine(first: Record<string, unknown>, lines: unknown[]): FormatName | undefined {
  const { type } = first;
  if (Array.isArray(first['agents']) || Array.isArray(first['core_memory'])) return 'letta';
  const [memory] = [...listOf(first['results']), ...listOf(first['memories'])];
  if (memory !== undefined) return detectElement(fieldsOf(memory));
  if (typeof first['sessionId'] === 'string' && ('projectHash' in first || 'messages' in first))
    return 'gemini';
  if (type === 'session_meta' || ('payload' in first && 'timestamp' in first)) return 'codex';
  if (typeof type === 'string' && 'data' in first && 'id' in first) return 'copilot';
  const isClaude = (line: unknown) => {
    const record = fieldsOf(line);
    return (
      typeof record['type'] === 'string' &&
      ('uuid' in record || 'leafUuid' in record || 'sessionId' in record)
    );
  };
  if (lines.some(isClaude)) return 'claude-code';
  const isNamed = typeof first['id'] === 'string' || typeof first['id'] === 'number';
  return isNamed && typeof first['text'] === 'string' ? 'ndjson' : undefined;
}
