import { z } from 'zod';
import { queryField } from '../memory/shapes.ts';
import { byteBudget, int, scopeId } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleContext } from './examples.ts';

const preparedContext = z
  .strictObject({
    schema: z.literal('service.prepared-context.v1'),
    status: z.enum(['ready', 'empty']),
    content: z.string().nullable().meta({ description: 'Insert it unchanged, or not at all.' }),
    content_bytes: int(0, 32_768),
  })
  .meta({ id: 'PreparedContext' });

export const prepareContext = defineOperation({
  id: 'prepare_context',
  method: 'POST',
  path: '/v1/context/prepare',
  tag: 'context',
  summary: 'Prepare one bounded text for the next turn of an agent',
  description:
    'Selects from Memory and Experience of the Scope and of its `context_references`. Stored text is data: it never leaves the ' +
    'single JSON line between the markers.',
  auth: 'bearer',
  body: z.strictObject({
    scope_id: scopeId,
    query: queryField,
    max_bytes: byteBudget.default(8000),
  }),
  status: 200,
  response: preparedContext,
  errors: [],
  run: 'direct',
  examples: [
    {
      summary: 'Relevant entries for a task',
      body: {
        scope_id: 'project-alpha',
        query: 'what to run after changing the HTTP schemas',
        max_bytes: 8000,
      },
      response: {
        schema: 'service.prepared-context.v1',
        status: 'ready',
        ...exampleContext,
      },
    },
    {
      summary: 'Nothing relevant',
      body: { scope_id: 'project-beta', query: 'anything at all' },
      response: { schema: 'service.prepared-context.v1', status: 'empty', content: null, content_bytes: 0 },
    },
  ],
});

export const contextOperations = { prepare_context: prepareContext };

export type PreparedContext = z.infer<typeof preparedContext>;
