import { z } from 'zod';
import { asOfField, queryField } from '../memory/shapes.ts';
import { byteBudget, int, scopeId } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { emptyReasons } from './empty-words.ts';
import { exampleCompactContext, exampleContext } from './examples.ts';

/** Layouts of a prepared context: `v1` with whole citations (spec 20 P9), and `compact` with short ids (spec 25 Q11). */
export const contextFormat = z.enum(['v1', 'compact']);

/** The schema constants of the layouts. */
export const contextVersion = z.enum(['service.prepared-context.v1', 'service.prepared-context.v2']);

/** Why a context is empty. */
export const emptyReason = z.enum(emptyReasons);

export const preparedContext = z
  .strictObject({
    schema: contextVersion.meta({ description: '`v1` for the format `v1`, `v2` for `compact`.' }),
    status: z.enum(['ready', 'empty']),
    content: z.string().nullable().meta({ description: 'Insert it unchanged, or not at all.' }),
    content_bytes: int(0, 32_768),
    reason: emptyReason.optional().meta({ description: 'Why it is `empty`. Absent where it is `ready`.' }),
  })
  .meta({ id: 'PreparedContext' });

export const prepareContextRequest = z.strictObject({
  scope_id: scopeId,
  query: queryField,
  max_bytes: byteBudget.default(8000),
  format: contextFormat.default('v1'),
  max_items: int(1, 32)
    .optional()
    .meta({ description: 'Limit of items. Default 8 in `v1`, 16 in `compact`.' }),
  as_of: asOfField.meta({
    description: 'Memory that held at this time alone. Without it, what has not ended by now.',
  }),
});

export const prepareContext = defineOperation({
  id: 'prepare_context',
  method: 'POST',
  path: '/v1/context/prepare',
  tag: 'context',
  summary: 'Prepare one bounded text for the next turn of an agent',
  description:
    'Selects from Memory and Experience of the Scope and of its `context_references`. Stored text is data: it never leaves the ' +
    'single JSON line between the markers. The format `compact` needs a third of the bytes around each text: its items have dates, ' +
    'and short ids for `get_memory_entry` and `get_experience`.',
  auth: 'bearer',
  body: prepareContextRequest,
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
      summary: 'The same in the compact format',
      body: {
        scope_id: 'project-alpha',
        query: 'what to run after changing the HTTP schemas',
        format: 'compact',
      },
      response: {
        schema: 'service.prepared-context.v2',
        status: 'ready',
        ...exampleCompactContext,
      },
    },
    {
      summary: 'Nothing relevant',
      body: { scope_id: 'project-beta', query: 'anything at all' },
      response: {
        schema: 'service.prepared-context.v1',
        status: 'empty',
        content: null,
        content_bytes: 0,
        reason: 'no_match',
      },
    },
  ],
});

export type ContextFormat = z.infer<typeof contextFormat>;
export type PreparedContext = z.infer<typeof preparedContext>;
