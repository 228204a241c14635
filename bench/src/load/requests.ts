import type { MemoryCitation, ScopeSelection } from '@continuity/contract';
import { newId } from '@continuity/kernel/text';
import { pick, type Random } from '../data/random.ts';
import { type Entry, makeText } from '../data/texts.ts';
import type { HttpRequest } from './http-load.ts';

/** Bytes of a remembered text, about two sentences. */
export const entryBytes = 200;

/** Bytes of a captured Source, such as a message or the result of a tool. */
const sourceBytes = 1_000;

export function rememberRequest(scopeId: string, entry: Entry): HttpRequest {
  return { path: '/v1/memory/remember', body: { scope_id: scopeId, ...entry } };
}

export function searchRequest(scopeId: string, query: string): HttpRequest {
  return { path: '/v1/memory/search', body: { scope_id: scopeId, query, limit: 10, mode: 'auto' } };
}

/** The same search as a tool call of MCP. */
export function searchToolRequest(scopeId: string, query: string): HttpRequest {
  const params = { name: 'search_memory', arguments: searchRequest(scopeId, query).body };
  return { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } };
}

export function prepareRequest(scopeId: string, query: string): HttpRequest {
  return { path: '/v1/context/prepare', body: { scope_id: scopeId, query } };
}

export function explainRequest(scopeId: string, query: string): HttpRequest {
  return { path: '/v1/context/explain', body: { scope_id: scopeId, query } };
}

export function getRequest(scopeId: string, citation: MemoryCitation): HttpRequest {
  return { path: '/v1/memory/entries/get', body: { scope_id: scopeId, citation } };
}

export function listRequest(scopeId: string): HttpRequest {
  return { path: '/v1/memory/entries/list', body: { scope_id: scopeId, limit: 50 } };
}

export interface Capture {
  scopeId: string;
  sourceId: string;
  content: string;
}

export function captureRequest({ scopeId, sourceId, content }: Capture): HttpRequest {
  return { path: '/v1/sources/content', body: { scope_id: scopeId, source_id: sourceId, content } };
}

/** A capture with a new Source id. */
export function makeCapture(random: Random, scopeIds: readonly string[]): Capture {
  const scopeId = pick(random, scopeIds);
  return { scopeId, sourceId: newId(), content: makeText(random, sourceBytes) };
}

export function flushRequest(scopeId: string): HttpRequest {
  return { path: '/v1/memory/flush', body: { scope_id: scopeId } };
}

export function statsRequest(selection: ScopeSelection, period: 'today' | '30d'): HttpRequest {
  return { path: '/v1/stats', body: { selection, period } };
}
