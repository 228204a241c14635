import type { OperationInput } from '@continuity/contract';
import type { sourceOperations } from '@continuity/contract/sources';
import type { JsonValue } from '@continuity/kernel/json';
import { type WrittenContent, writeContentWithin } from './written-content.ts';

type CreateBody = OperationInput<typeof sourceOperations.create_source>['body'];

/** The content of a Source to create, as it is stored. */
interface PreparedCreate {
  source_type: 'content';
  content: WrittenContent;
}

/** Prepares the body of `create_source`. Throws 422 for content over its limit. */
export function prepareCreate({ source_type, content }: CreateBody): PreparedCreate {
  return { source_type, content: writeContentWithin(content as JsonValue, 'content') };
}
