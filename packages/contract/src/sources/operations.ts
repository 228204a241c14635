import { z } from 'zod';
import {
  decimal,
  digest,
  int,
  json,
  jsonObject,
  scopeId,
  sourceRef,
  str,
  text,
  time,
  token,
} from '../notation/shapes.ts';
import { offsetTime } from '../notation/times.ts';
import { defineOperation, MiB } from '../operations/operation.ts';

const occurredAtField = offsetTime.nullish().meta({
  description: 'When the content was said or written, with the local offset. Null: not known.',
});

export const sourceRecord = z
  .strictObject({
    scope_id: scopeId,
    source_type: text(1, 128),
    source_id: text(1, 256),
    content: json,
    position: int(1),
    content_digest: digest,
    occurred_at: z
      .string()
      .nullable()
      .meta({ description: 'When it was said, with its offset; null if not known.' }),
  })
  .meta({ id: 'SourceRecord' });

/** Extraction and a Source (spec 20 F1, F6). */
export const sourceState = z.enum(['pending', 'processed', 'not_eligible']).meta({
  description: '`pending` waits for extraction, which reads nothing that is `not_eligible`.',
});

export const sourceSummary = z
  .strictObject({
    source_type: text(1, 128),
    source_id: text(1, 256),
    position: int(1),
    content_digest: digest,
    content_bytes: int(1).meta({ description: 'Bytes of the content as canonical JSON.' }),
    excerpt: str(0, 240).meta({ description: 'The beginning of the text, on one line.' }),
    captured_at: time,
    state: sourceState,
    fallback: z.boolean().meta({
      description: 'Whether the built-in rules extracted it, because the model had failed.',
    }),
    record: z
      .enum(['artifact-write', 'work-contract', 'handoff-boundary', 'handoff-receipt', 'task-outcome'])
      .nullable()
      .meta({ description: 'Kind of a record that the service wrote; null for what callers captured.' }),
  })
  .meta({ id: 'SourceSummary', description: 'A Source without its content.' });

export type SourceState = z.infer<typeof sourceState>;
export type SourceSummary = z.infer<typeof sourceSummary>;

export const captureContentSource = defineOperation({
  id: 'capture_content_source',
  method: 'POST',
  path: '/v1/sources/content',
  tag: 'sources',
  summary: 'Capture evidence under an id of your own',
  description:
    'The Source is durable when the answer arrives. An equal repeat under the same `source_id` returns the first answer; ' +
    'different content, metadata or `occurred_at` is 409. The first write creates the Scope. A later flush extracts the Source into Memory.',
  auth: 'bearer',
  bodyLimit: 4 * MiB,
  maxBodyValues: 40_000,
  body: z.strictObject({
    scope_id: scopeId,
    source_id: text(1, 256),
    content: text(1, 200_000).meta({ description: 'The text, as it was said or written.' }),
    metadata: jsonObject.nullish(),
    occurred_at: occurredAtField,
  }),
  status: 202,
  response: z.strictObject({ status: z.literal('accepted'), source: sourceRef, position: int(1) }),
  errors: ['source_conflict'],
  run: 'direct',
  examples: [
    {
      summary: 'The result of a CI run',
      body: {
        scope_id: 'project:atlas-billing',
        source_id: 'ci/8841',
        content: 'CI run 8841: 412 passed, 0 failed.',
        metadata: { branch: 'main' },
        occurred_at: '2026-11-20T09:12:40.000+01:00',
      },
      response: { status: 'accepted', source: { name: 'content', source_id: 'ci/8841' }, position: 3 },
    },
  ],
});

export const createSource = defineOperation({
  id: 'create_source',
  method: 'POST',
  path: '/v1/scopes/{scope_id}/sources',
  tag: 'sources',
  summary: 'Create a Source from any JSON value',
  description:
    'The service generates the `source_id`. Without `Idempotency-Key` two equal calls create two Sources.',
  auth: 'bearer',
  params: z.object({ scope_id: scopeId }),
  headers: z.object({ 'idempotency-key': token(1, 256).optional() }),
  bodyLimit: 4 * MiB,
  maxBodyValues: 1_000_000,
  body: z.strictObject({
    source_type: z.enum(['content']).default('content'),
    content: json,
    occurred_at: occurredAtField,
  }),
  status: 201,
  response: sourceRecord,
  responseHeaders: { Location: 'Path of the Source.' },
  errors: ['source_conflict'],
  run: 'direct',
  examples: [
    {
      summary: 'A structured record',
      parameters: { scope_id: 'project:atlas-billing', 'Idempotency-Key': 'deploy-77' },
      body: { content: { event: 'deploy', version: '4.2.0', ok: true } },
      response: {
        scope_id: 'project:atlas-billing',
        source_type: 'content',
        source_id: '01a0521c-9a5b-70c6-a6a3-a4506513270e',
        content: { event: 'deploy', ok: true, version: '4.2.0' },
        position: 4,
        content_digest: 'sha256:1f3642359b89a8ce9a12ddfb725386588204246b944fa1c9e48b9cbb3d085f94',
        occurred_at: null,
      },
    },
  ],
});

export const getSource = defineOperation({
  id: 'get_source',
  method: 'GET',
  path: '/v1/scopes/{scope_id}/sources/{source_type}/{source_id}',
  tag: 'sources',
  summary: 'Read a Source exactly as it was captured',
  auth: 'bearer',
  params: z.object({ scope_id: scopeId, source_type: text(1, 128), source_id: text(1, 256) }),
  status: 200,
  response: sourceRecord,
  errors: ['source_not_found'],
  run: 'direct',
  examples: [
    {
      summary: 'The captured CI run',
      parameters: { scope_id: 'project:atlas-billing', source_type: 'content', source_id: 'ci/8841' },
      response: {
        scope_id: 'project:atlas-billing',
        source_type: 'content',
        source_id: 'ci/8841',
        content: 'CI run 8841: 412 passed, 0 failed.',
        position: 3,
        content_digest: 'sha256:f3642359b89a8ce9a12ddfb725386588204246b944fa1c9e48b9cbb3d085f94d',
        occurred_at: '2026-11-20T09:12:40.000+01:00',
      },
    },
  ],
});

export const exampleSummary: SourceSummary = {
  source_type: 'content',
  source_id: 'ci/8841',
  position: 3,
  content_digest: 'sha256:f3642359b89a8ce9a12ddfb725386588204246b944fa1c9e48b9cbb3d085f94d',
  content_bytes: 36,
  excerpt: 'CI run 8841: 412 passed, 0 failed.',
  captured_at: '2026-11-20T09:12:41.000Z',
  state: 'pending',
  fallback: false,
  record: null,
};

export const listSources = defineOperation({
  id: 'list_sources',
  method: 'GET',
  path: '/v1/scopes/{scope_id}/sources',
  tag: 'sources',
  summary: 'List the Sources of a Scope',
  description:
    'Lists Sources newest position first, without content. With `state`, a page may be short or empty although more follow: continue ' +
    'with `next_cursor`.',
  auth: 'bearer',
  params: z.object({ scope_id: scopeId }),
  query: z.object({
    limit: decimal(1, 100).default(50).meta({ description: 'Default: 50.' }),
    cursor: str(1, 4096).optional(),
    state: sourceState.optional(),
  }),
  status: 200,
  response: z
    .strictObject({
      items: z.array(sourceSummary).max(100),
      next_cursor: z.string().nullable(),
      high_watermark: int(0).meta({ description: 'The highest position of the Scope.' }),
      extraction_cursor: int(0).meta({ description: 'The position up to which Sources were extracted.' }),
    })
    .meta({ id: 'SourcePage' }),
  errors: ['invalid_cursor'],
  run: 'direct',
  examples: [
    {
      summary: 'What waits for extraction',
      parameters: { scope_id: 'project:atlas-billing', state: 'pending' },
      response: { items: [exampleSummary], next_cursor: null, high_watermark: 3, extraction_cursor: 2 },
    },
  ],
});

export const sourceOperations = {
  capture_content_source: captureContentSource,
  create_source: createSource,
  get_source: getSource,
  list_sources: listSources,
};

export type SourcePage = z.infer<typeof listSources.response>;
