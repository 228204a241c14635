import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Exchange, Stage } from '../player.ts';
import { ask } from '../wire/ask.ts';
import { findAll } from './find-all.ts';

const revision = z.looseObject({
  scope_id: z.string(),
  family: z.string(),
  artifact_id: z.string(),
  revision: z.int(),
  sources: z.array(z.unknown()),
});

type Revision = z.infer<typeof revision>;

/** Finds every Artifact revision in the answers to one tenant, with the answered fields. */
export function revisionsIn(exchanges: Exchange[], tenant: number): Revision[] {
  const own = exchanges.filter(({ request }) => request.place.tenant === tenant);
  return own.flatMap(({ answer }) => findAll(revision, answer.body));
}

/** Spec 00 §4: a revision is immutable. Throws if one reads otherwise than it was answered. */
export async function checkRevisions(stage: Stage, tenant: number, revisions: Revision[]): Promise<void> {
  const token = stage.tokens[tenant];
  const read = new Map<string, Record<string, unknown>>();
  for (const one of revisions) {
    const { scope_id, family, artifact_id } = one;
    const path = [
      'v1',
      'scopes',
      scope_id,
      'artifacts',
      family,
      artifact_id,
      'revisions',
      String(one.revision),
    ];
    const key = path.join('\n');
    const now = read.get(key) ?? (JSON.parse((await ask(stage.url, 'GET', path, { token })).text) as object);
    read.set(key, { ...now });
    for (const [name, value] of Object.entries(one)) {
      if (isDeepStrictEqual(read.get(key)?.[name], value)) continue;
      throw new Error(`${JSON.stringify(now)} does not read as it was answered: ${JSON.stringify(one)}`);
    }
  }
}
