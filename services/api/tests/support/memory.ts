import { randomUUID } from 'node:crypto';
import type { Client, Reply } from '@continuity/testing';
import { expect } from 'vitest';

/** A Scope id that nothing else uses. */
export const freshScope = (name = 'scope'): string => `${name}-${randomUUID()}`;

type Remembered = Awaited<ReturnType<typeof remember>>;
export type Entry = Remembered['entry'];
export type Citation = Entry['citation'];

/** Remembers and fails the test where that is refused. */
export async function remember(client: Client, scopeId: string, text: string, kind = 'fact') {
  const { body } = await client.call('remember_memory', { body: { scope_id: scopeId, kind, text } });
  if (body.entry === null) throw new Error('A remember answered without its entry.');
  return { memory: body.memory, entry: body.entry };
}

/** Retires the cited entry at the head, whatever revision that is by now. */
export async function retire(client: Client, scopeId: string, citation: Citation): Promise<Entry> {
  const memory_ref = { ...citation.memory_ref, revision: await headOf(client, scopeId) };
  const { body } = await client.call('retire_memory_entry', {
    body: { scope_id: scopeId, citation: { ...citation, memory_ref } },
  });
  if (body.entry === null) throw new Error('A retire answered without its entry.');
  return body.entry;
}

/** Head revision of the Scope Memory; 0 for none. */
export async function headOf(client: Client, scopeId: string): Promise<number> {
  const { body } = await client.call('list_memory_changes', { body: { scope_id: scopeId } });
  return body.memory?.revision ?? 0;
}

/** All changes of the Scope Memory, revision by revision. */
export async function historyOf(client: Client, scopeId: string) {
  const { body } = await client.call('list_memory_changes', {
    body: { scope_id: scopeId, since_revision: 0 },
  });
  return body.revisions;
}

/** How many of the replies have each status. */
export function countStatuses(replies: Pick<Reply<unknown>, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Runs `task` for 0 to `count` - 1 at once. */
export function race<T>(count: number, task: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => task(index)));
}

/** 422 with issues at exactly these paths, in any order. */
export function expectIssues(reply: { status: number; json: unknown }, paths: string[]): void {
  expect(reply).toMatchObject({ status: 422, json: { error: { code: 'invalid_request' } } });
  const { error } = reply.json as { error: { details: { issues: { path: string; message: string }[] } } };
  expect([...new Set(error.details.issues.map((issue) => issue.path))].sort()).toEqual([...paths].sort());
}
