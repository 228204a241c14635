import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Exchange, Stage } from '../player.ts';
import { ask } from '../wire/ask.ts';

const captured = z.object({ scope_id: z.string(), source_id: z.string(), content: z.string() });
const accepted = z.object({ position: z.int() });
const record = z.looseObject({
  scope_id: z.string(),
  source_type: z.string(),
  source_id: z.string(),
  content: z.unknown(),
  position: z.int(),
});

/** A Source in an answer. */
type Seen = Pick<z.infer<typeof record>, 'scope_id' | 'source_type' | 'source_id' | 'content' | 'position'>;

/** Finds every Source in the exchanges of one tenant. */
export function sourcesIn(exchanges: Exchange[], tenant: number): Seen[] {
  return exchanges.filter(({ request }) => request.place.tenant === tenant).flatMap(seenIn);
}

function seenIn({ request, sent, answer }: Exchange): Seen[] {
  if (answer.body === undefined) return [];
  if (request.call.operation.id === 'capture_content_source') {
    return [{ source_type: 'content', ...captured.parse(sent), ...accepted.parse(answer.body) }];
  }
  const { success, data } = record.safeParse(answer.body);
  if (!success) return [];
  const { scope_id, source_type, source_id, content, position } = data;
  return [{ scope_id, source_type, source_id, content, position }];
}

/** Spec 10 §8: an accepted Source reads as it was sent, at its answered position. */
export async function checkSources(stage: Stage, tenant: number, sources: Seen[]): Promise<void> {
  const positions = new Map<string, string>();
  for (const { scope_id, source_type, source_id, content, position } of sources) {
    const place = JSON.stringify([scope_id, position]);
    const other = positions.get(place) ?? source_id;
    positions.set(place, source_id);
    if (other !== source_id)
      throw new Error(`Two Sources have the position ${position}: ${other}, ${source_id}`);
    const path = ['v1', 'scopes', scope_id, 'sources', source_type, source_id];
    const { text } = await ask(stage.url, 'GET', path, { token: stage.tokens[tenant] });
    const { success, data } = record.safeParse(JSON.parse(text));
    if (success && data.position === position && isDeepStrictEqual(data.content, content)) continue;
    throw new Error(`${text} is not ${JSON.stringify({ content, position })}, which was answered`);
  }
}
