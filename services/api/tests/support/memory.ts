import { randomUUID } from 'node:crypto';
import type { Client, Reply } from '@continuity/testing';
import { expect } from 'vitest';
import { query } from './sql.ts';

/** Returns a new, unique Scope id. */
export const freshScope = (name = 'scope'): string => `${name}-${randomUUID()}`;

type Remembered = Awaited<ReturnType<typeof remember>>;
export type Entry = Remembered['entry'];
export type Citation = Entry['citation'];

/** Remembers a text. An error response fails the test. */
export async function remember(client: Client, scopeId: string, text: string, kind = 'fact') {
  const { body } = await client.call('remember_memory', { body: { scope_id: scopeId, kind, text } });
  if (body.entry === null) throw new Error('The answer to remember has no entry.');
  return { memory: body.memory, entry: body.entry };
}

/** Retires the cited entry at the current head revision. */
export async function retire(client: Client, scopeId: string, citation: Citation): Promise<Entry> {
  const memory_ref = { ...citation.memory_ref, revision: await headOf(client, scopeId) };
  const { body } = await client.call('retire_memory_entry', {
    body: { scope_id: scopeId, citation: { ...citation, memory_ref } },
  });
  if (body.entry === null) throw new Error('The answer to retire has no entry.');
  return body.entry;
}

/** Reads the head revision of the Scope Memory; 0 if there is none. */
export async function headOf(client: Client, scopeId: string): Promise<number> {
  const { body } = await client.call('list_memory_changes', { body: { scope_id: scopeId } });
  return body.memory?.revision ?? 0;
}

/** Reads all revisions of the Scope Memory with their changes. */
export async function historyOf(client: Client, scopeId: string) {
  const { body } = await client.call('list_memory_changes', {
    body: { scope_id: scopeId, since_revision: 0 },
  });
  return body.revisions;
}

/** Counts replies by status. */
export function countStatuses(replies: Pick<Reply<unknown>, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Runs `task` concurrently for 0 to `count` - 1. */
export function race<T>(count: number, task: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => task(index)));
}

/** Expects 422 with issues at exactly these paths, in any order. */
export function expectIssues(reply: { status: number; json: unknown }, paths: string[]): void {
  expect(reply).toMatchObject({ status: 422, json: { error: { code: 'invalid_request' } } });
  const { error } = reply.json as { error: { details: { issues: { path: string; message: string }[] } } };
  expect([...new Set(error.details.issues.map((issue) => issue.path))].sort()).toEqual([...paths].sort());
}

/** Takes the entries of a Scope their places, so that each has the score of its own words and vector (spec 26 S15). */
export async function withoutNeighbors(
  { databaseUrl }: { databaseUrl: string },
  scopeId: string,
): Promise<void> {
  await query(
    databaseUrl,
    `UPDATE memory_versions SET place = NULL WHERE (tenant_id, artifact_key) IN (
       SELECT tenant_id, artifact_key FROM artifacts JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1)`,
    [scopeId],
  );
}
