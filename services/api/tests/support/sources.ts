import type { Client } from '@continuity/testing';

/** Captures and fails the test where that is refused; answers the position. */
export async function capture(
  client: Client,
  scope_id: string,
  source_id: string,
  content = 'captured',
): Promise<number> {
  const { body } = await client.call('capture_content_source', { body: { scope_id, source_id, content } });
  return body.position;
}

export function readSource(client: Client, scope_id: string, source_id: string, source_type = 'content') {
  return client.call('get_source', { params: { scope_id, source_type, source_id } });
}

/** `value` inside `levels` arrays. */
export function nest(value: unknown, levels: number): unknown {
  let nested = value;
  for (let level = 0; level < levels; level += 1) nested = [nested];
  return nested;
}
