import { newId } from '@continuity/kernel/text';
import { type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import { captureRequest } from '../load/requests.ts';
import { withClient } from '../servers/query.ts';
import type { Random } from './random.ts';
import { makeText } from './texts.ts';

/** A Project to fill. */
interface ProjectSize {
  /** Names the Scopes. */
  name: string;
  workstreams: number;
  /** Revisions of each Handoff. */
  revisions: number;
  /** Sources of all Scopes together, besides the evidence of each. */
  oldSources: number;
}

const statements = 8;
const textBytes = 200;

/** Creates a Project whose Workstreams have a Handoff each, with that many revisions and old Sources. Returns its id. */
export async function fillProject(
  load: HttpLoad,
  url: string,
  databaseUrl: string,
  { name, workstreams, revisions, oldSources }: ProjectSize,
  random: Random,
): Promise<string> {
  const scopeIds = Array.from({ length: workstreams }, (_, index) => `${name}-${index}`);
  const projectId = await createProject(url, name);
  const requests = (requestOf: (scopeId: string) => HttpRequest) => scopeIds.map(requestOf);
  await send(
    load,
    [url],
    requests((scopeId) => registerRequest(projectId, scopeId)),
    { connections: 8 },
  );
  const evidence = requests((scopeId) =>
    captureRequest({ scopeId, sourceId: 'evidence', content: makeText(random, textBytes) }),
  );
  await send(load, [url], evidence, { connections: 8 });
  for (let base = 0; base < revisions; base += 1) {
    await send(
      load,
      [url],
      requests((scopeId) => commitRequest(scopeId, base, random)),
      { connections: 8 },
    );
  }
  await insertSources(databaseUrl, scopeIds, Math.floor(oldSources / workstreams));
  return projectId;
}

async function createProject(url: string, name: string): Promise<string> {
  const response = await fetch(`${url}/v1/handoff-reports/projects/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project_key: `${name}-${newId()}`, title: name, default_locale: 'en' }),
  });
  if (response.status !== 201) throw new Error(`The service created no Project: ${await response.text()}`);
  return ((await response.json()) as { project_id: string }).project_id;
}

function registerRequest(projectId: string, scopeId: string): HttpRequest {
  const body = { project_id: projectId, scope_id: scopeId, title: scopeId, kind: 'feature', key: scopeId };
  return { path: '/v1/handoff-reports/workstreams/register', body };
}

function commitRequest(scopeId: string, base: number, random: Random): HttpRequest {
  const citations = [{ kind: 'source', source_ref: { name: 'content', source_id: 'evidence' } }];
  const statement = () => ({ text: makeText(random, textBytes), citations });
  const handoff = {
    schema: 'service.prepared-handoff.v1',
    scope_id: scopeId,
    base: base === 0 ? null : { family: 'handoff', artifact_id: 'handoff', revision: base },
    content: {
      schema: 'service.handoff.v1',
      objective: makeText(random, textBytes),
      state: Array.from({ length: statements }, statement),
      disposition: 'continuable',
      next_action: statement(),
      omissions: [],
    },
  };
  return { path: '/v1/handoff/commit', body: { scope_id: scopeId, handoff } };
}

/** Inserts `count` Sources after those of each Scope. */
async function insertSources(databaseUrl: string, scopeIds: string[], count: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `WITH sequence AS (
         UPDATE source_sequences q SET last_position = last_position + $2, last_captured_at = now(),
           eligible_count = eligible_count + $2
         FROM scopes c
         WHERE c.scope_id = ANY ($1) AND q.tenant_id = c.tenant_id AND q.scope_key = c.scope_key
         RETURNING q.tenant_id, q.scope_key, q.last_position - $2 AS before
       )
       INSERT INTO sources
         (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible, created_at)
       SELECT tenant_id, scope_key, before + n, 'content', 'old ' || n, '"An old Source."', '', true, now()
       FROM sequence, generate_series(1, $2::int) AS n`,
      [scopeIds, count],
    );
  });
}
