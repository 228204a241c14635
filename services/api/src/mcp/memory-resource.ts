import { cleanText, writeMarkdown } from '@continuity/shared/reports';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { tryDecode } from '../http/raw-path.ts';
import { callTool, readToolInput } from './call-tool.ts';
import type { McpSession } from './session.ts';

export const memoryResource = {
  name: 'scope_memory',
  title: 'Memory of a Scope',
  uriTemplate: 'continuity://scopes/{scope_id}/memory',
  description: 'The active entries of the Scope as a Markdown list, at most 64 KiB.',
  mimeType: 'text/markdown',
} as const;

const maxBytes = 64 * 1024;
const pageSize = 200;

interface Page {
  entries: { text: string }[];
  next_cursor: string | null;
}

/** Lists the active entries as Markdown, ascending by entry id, whole items only. Throws a JSON-RPC error for another URI. */
export async function readMemoryResource({ handlers, caller }: McpSession, uri: string): Promise<string> {
  const scope_id = scopeOf(uri);
  const items: string[] = [];
  let bytes = 0;
  let cursor: string | null = null;
  do {
    const input = readToolInput('list_memory_entries', { scope_id, limit: pageSize, cursor });
    const page = (await callTool(handlers, caller, 'list_memory_entries', input)) as Page;
    for (const entry of page.entries) {
      const item = toListItem(entry.text);
      bytes += Buffer.byteLength(item);
      if (bytes > maxBytes) return items.join('');
      items.push(item);
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items.join('');
}

/** Escapes a stored text, so that it contains no Markdown (spec 30 §4.9). */
function toListItem(text: string): string {
  return writeMarkdown([
    { kind: 'list', items: [{ line: [{ kind: 'text', text: cleanText(text) }], nested: [] }] },
  ]);
}

function scopeOf(uri: string): string {
  const segment = /^continuity:\/\/scopes\/([^/?#]+)\/memory$/.exec(uri)?.[1];
  const scopeId = segment === undefined ? undefined : tryDecode(segment);
  if (scopeId === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown resource. Read ${memoryResource.uriTemplate}.`,
    );
  }
  return scopeId;
}
