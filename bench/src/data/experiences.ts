import type { ExperienceContent } from '@continuity/contract/experience';
import pg from 'pg';
import { type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import type { Random } from './random.ts';
import { makeText } from './texts.ts';

/** Bytes of each of the four statements of an Experience. */
const statementBytes = 150;

/** Creates `count` Experiences in each Scope. */
export async function createExperiences(
  load: HttpLoad,
  url: string,
  scopeIds: readonly string[],
  count: number,
  random: Random,
): Promise<void> {
  const requests = scopeIds.flatMap((scopeId) =>
    Array.from({ length: count }, () => experienceRequest(scopeId, random)),
  );
  await send(load, [url], requests, { connections: 8 });
}

function experienceRequest(scopeId: string, random: Random): HttpRequest {
  const body = { family: 'experience', content: makeExperience(random) };
  return { path: `/v1/scopes/${scopeId}/artifacts`, body };
}

/** Returns the content of an Experience. */
export function makeExperience(random: Random): ExperienceContent {
  const statement = () => makeText(random, statementBytes);
  return { situation: statement(), action: statement(), outcome: statement(), lesson: statement() };
}

/** Makes each entry cite a captured Source of its Scope, as extraction does. */
export async function citeSources(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `UPDATE memory_versions v
       SET source_refs = jsonb_build_array(jsonb_build_object('name', 'content', 'source_id', s.source_id))
       FROM artifacts a JOIN sources s USING (tenant_id, scope_key)
       WHERE v.artifact_key = a.artifact_key AND s.eligible`,
    );
  } finally {
    await client.end();
  }
}
