import type { Client } from '@continuity/testing';

/** Captures a Source and returns its position. An error response fails the test. */
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

/** Wraps `value` in `levels` arrays. */
export function nest(value: unknown, levels: number): unknown {
  let nested = value;
  for (let level = 0; level < levels; level += 1) nested = [nested];
  return nested;
}
