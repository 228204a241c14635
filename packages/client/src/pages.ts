import { call, originOf, signalOf } from './call.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { ClientOperation } from './operation.ts';
import type { CallOptions, ClientOptions } from './types.ts';

/** Yields the items of all pages. The time limit is of each page. */
export async function* eachItem(
  client: ClientOptions,
  operation: ClientOperation,
  request: Record<string, unknown>,
  options: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  let cursor: unknown;
  do {
    const page = (await call(
      client,
      operation,
      cursor === undefined ? request : { ...request, cursor },
      options,
      signalOf(client, options),
    )) as Record<string, unknown> | null;
    const items = page?.[operation.items ?? ''];
    if (!Array.isArray(items)) throw new UnexpectedAnswerError(200, originOf(client.baseUrl));
    yield* items;
    cursor = page?.['next_cursor'];
  } while (cursor !== null && cursor !== undefined);
}
