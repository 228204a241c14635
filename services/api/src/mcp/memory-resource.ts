import { emptyWords } from '@continuity/contract/empty-words';
import { cleanText, writeMarkdown } from '@continuity/shared/reports';
import { callTool, otherMemoryWords, readToolInput } from './call-tool.ts';
import type { McpSession } from './session.ts';

const maxBytes = 64 * 1024;
/** Bytes that are kept for the paragraph behind the list. */
const noteBytes = 512;
const pageSize = 200;

interface Page {
  entries: { text: string }[];
  next_cursor: string | null;
  other_memories?: number;
}

/**
 * Lists the active entries of a Scope as Markdown, newest first, whole items only, and says what is left out, or that there is nothing
 * (spec 00 §9). Throws the errors of the operation.
 */
export async function readMemory({ handlers, caller }: McpSession, scope_id: string): Promise<string> {
  const items: string[] = [];
  let bytes = 0;
  let page: Page;
  let cursor: string | null = null;
  let isCut = false;
  do {
    const input = readToolInput('list_memory_entries', {
      scope_id,
      order: 'newest',
      limit: pageSize,
      cursor,
    });
    page = (await callTool(handlers, caller, 'list_memory_entries', input)) as Page;
    for (const entry of page.entries) {
      const item = toListItem(entry.text);
      bytes += Buffer.byteLength(item);
      isCut = bytes > maxBytes - noteBytes;
      if (isCut) break;
      items.push(item);
    }
    cursor = page.next_cursor;
  } while (cursor !== null && !isCut);
  const notes = [
    ...(isCut
      ? [
          `These are the ${items.length} newest entries. There are more: call search_memory or list_memory_entries.`,
        ]
      : []),
    ...(page.other_memories === undefined ? [] : [otherMemoryWords(page.other_memories)]),
  ];
  if (items.length === 0 && notes.length === 0) notes.push(emptyWords('no_memory', scope_id));
  if (notes.length === 0) return items.join('');
  const line = [{ kind: 'text', text: notes.join(' ') } as const];
  return `${items.join('')}${items.length === 0 ? '' : '\n'}${writeMarkdown([{ kind: 'paragraph', line }])}`;
}

/** Escapes a stored text, so that it contains no Markdown (spec 30 §4.9). */
function toListItem(text: string): string {
  return writeMarkdown([
    { kind: 'list', items: [{ line: [{ kind: 'text', text: cleanText(text) }], nested: [] }] },
  ]);
}
