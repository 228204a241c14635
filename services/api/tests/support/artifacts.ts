import type { MemoryContent } from '@continuity/contract/memory';
import { expect } from 'vitest';
import type { TestService } from './service.ts';

type Entry = { kind: string; text: string; entry_id?: string | null };

/** Short calls of the Artifact operations. */
export function artifactCalls(service: Pick<TestService, 'call'>) {
  const params = (scope_id: string, artifact_id = 'memory') => ({
    scope_id,
    family: 'memory' as const,
    artifact_id,
  });
  const calls = {
    params,
    facts: (...texts: string[]): Entry[] => texts.map((text) => ({ kind: 'fact', text })),
    create: (scope_id: string, entries: Entry[], headers: Record<string, string> = {}) =>
      service.call('create_artifact', {
        params: { scope_id },
        headers,
        body: { family: 'memory', content: { entries } },
      }),
    head: (scope_id: string, artifact_id?: string, headers: Record<string, string> = {}) =>
      service.call('get_artifact', { params: params(scope_id, artifact_id), headers }),
    revision: (scope_id: string, revision: number | string, artifact_id?: string) =>
      service.call('get_artifact_revision', {
        params: { ...params(scope_id, artifact_id), revision: String(revision) },
      }),
    replace: (scope_id: string, etag: string, entries: Entry[], artifact_id?: string) =>
      service.call('replace_artifact', {
        params: params(scope_id, artifact_id),
        headers: { 'If-Match': etag },
        body: { content: { entries } },
      }),
    remember: (scope_id: string, text: string) =>
      service.call('remember_memory', { body: { scope_id, kind: 'fact', text } }),
    /** Texts of the search hits, sorted. */
    found: async (scope_id: string, query: string) => {
      const { body } = await service.call('search_memory', { body: { scope_id, query, limit: 50 } });
      return body.hits.map(({ text }) => text).sort();
    },
    /** Creates a Source and returns its position. */
    nextPosition: async (scope_id: string) => {
      const reply = await service.call('create_source', { params: { scope_id }, body: { content: 'probe' } });
      return reply.body.position;
    },
    /** The entry_id of each text of the Scope Memory, inactive entries included. */
    idsByText: async (scope_id: string) => {
      const { body } = await service.call('list_memory_entries', {
        body: { scope_id, include_inactive: true },
      });
      return new Map(body.entries.map(({ text, citation }) => [text, citation.entry_id]));
    },
  };
  return calls;
}

/** Reads the ETag of an answer, and checks its format. */
export function etagOf(reply: { headers: Headers }): string {
  const etag = reply.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[1-9]\d*-[0-9a-f]{32}"$/);
  return etag;
}

/** The content of a Memory revision. */
export function memoryContentOf({ body }: { body: { content: object } }): MemoryContent {
  expect(body.content).toHaveProperty('manifest');
  return body.content as MemoryContent;
}
