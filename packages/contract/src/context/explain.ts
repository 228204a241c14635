import { z } from 'zod';
import { artifactRef, int, memoryCitation, scopeId, str, token } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleContext } from './examples.ts';
import { prepareContextRequest, preparedContext } from './operations.ts';

/** Limits of an explanation (spec 60 §3.2). */
export const maxSubjects = 8;
export const maxExplainedItems = 40;

const explainSubject = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('memory'),
      scope_id: scopeId,
      artifact_id: token(1, 128),
      entry_id: token(1, 128),
    }),
    z.strictObject({ kind: z.literal('experience'), scope_id: scopeId, artifact_id: token(1, 128) }),
  ])
  .meta({ id: 'ExplainSubject', description: 'A Memory entry or an Experience.' });

const score = z.number().min(0).max(1);

const channels = z
  .strictObject({
    lexical: z.strictObject({
      score: score.meta({ description: 'Part of the best score of the Scope.' }),
      segment: int(1, 64).nullable().meta({ description: 'The segment that gave the score.' }),
      matched: z
        .array(int(0, 511))
        .max(64)
        .meta({ description: 'Places in `terms` of the terms of the segment that the text holds.' }),
      admitted: z.boolean(),
    }),
    vector: z
      .strictObject({ similarity: z.number().min(-1).max(1), score, admitted: z.boolean() })
      .nullable()
      .meta({ description: 'Null where only words ran.' }),
  })
  .meta({ id: 'ExplainedChannels' });

const explainedTerm = z
  .strictObject({
    text: str(1, 64).meta({ description: 'Folded.' }),
    segment: int(1, 64).meta({ description: 'The first segment that has it.' }),
    is_rare: z.boolean().meta({ description: 'Whether it admits an entry of the current Scope by itself.' }),
  })
  .meta({ id: 'ExplainedTerm' });

const explainedScope = z
  .strictObject({
    scope_id: scopeId,
    role: z.enum(['current', 'referenced']),
    mode: z
      .enum(['fts', 'vector', 'hybrid'])
      .nullable()
      .meta({ description: 'The mode that ran; null without Memory.' }),
    fallback: z
      .enum(['query_not_embedded', 'vectors_missing'])
      .nullable()
      .meta({ description: 'Why only words ran although an embedding model is set.' }),
    reranked: z.boolean(),
    memory_hits: int(0, 32),
    experience_hits: int(0, 8),
  })
  .meta({ id: 'ExplainedScope' });

const explainedItem = z
  .strictObject({
    family: z.enum(['memory', 'experience']),
    scope_id: scopeId,
    citation: memoryCitation.nullable().meta({ description: 'Of a Memory entry.' }),
    artifact_ref: artifactRef.nullable().meta({ description: 'Of an Experience.' }),
    excerpt: str(1, 240),
    trial: int(1, 34)
      .nullable()
      .meta({ description: 'Place in the order of trial; null for `family_limit`.' }),
    outcome: z.enum(['included', 'truncated', 'no_room', 'enough_items', 'family_limit']),
    rank: int(1, 32).meta({ description: "Place in its Scope's list of its Family." }),
    rank_before_reranker: int(1, 100).nullable(),
    score,
    channels,
    text_bytes: int(1).meta({ description: 'Bytes of the whole text.' }),
    item_bytes: int(1).nullable().meta({ description: 'Bytes of the item in the context.' }),
    room_bytes: int(0).nullable().meta({ description: 'What was left of `max_bytes` when it was tried.' }),
  })
  .meta({ id: 'ExplainedItem' });

const subjectResult = z
  .strictObject({
    subject: explainSubject,
    outcome: z.enum([
      'listed',
      'outranked',
      'not_admitted',
      'ended',
      'inactive',
      'scope_not_read',
      'unknown',
    ]),
    item: int(0, maxExplainedItems - 1)
      .nullable()
      .meta({ description: 'Place in `items`.' }),
    score: score.nullable(),
    last_score: score
      .nullable()
      .meta({ description: "Score of the last candidate of its Family in that Scope's list." }),
    channels: channels.nullable(),
  })
  .meta({ id: 'SubjectResult' });

const contextExplanation = z
  .strictObject({
    prepared: preparedContext.meta({ description: 'What `prepare_context` answers to the same fields.' }),
    frame_bytes: int(0).meta({ description: 'Bytes of a context without items.' }),
    segments: int(0, 64),
    terms: z.array(explainedTerm).max(512),
    scopes: z.array(explainedScope).max(16),
    skipped: z
      .array(z.strictObject({ scope_id: scopeId, reason: z.enum(['unknown', 'over_limit']) }))
      .max(256)
      .meta({ description: 'Context References that were not read.' }),
    items: z.array(explainedItem).max(maxExplainedItems),
    subjects: z.array(subjectResult).max(maxSubjects),
  })
  .meta({ id: 'ContextExplanation' });

const exampleSubject = {
  kind: 'memory',
  scope_id: 'project-alpha',
  artifact_id: 'memory',
  entry_id: '0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4',
} as const;

const exampleChannels = {
  lexical: { score: 1, segment: 1, matched: [0, 1, 2], admitted: true },
  vector: null,
};

export const explainContext = defineOperation({
  id: 'explain_context',
  method: 'POST',
  path: '/v1/context/explain',
  tag: 'context',
  summary: 'Explain what a prepared context has, and what it has not',
  description:
    'Prepares the context of the same request, and says of each candidate why it is in it or not. `subjects` are entries or Experiences ' +
    'to ask about. Moves no recall counter, and stores nothing.',
  auth: 'bearer',
  body: prepareContextRequest.extend({
    subjects: z
      .array(explainSubject)
      .max(maxSubjects, { error: `must have at most ${maxSubjects} items`, abort: true })
      .refine((subjects) => new Set(subjects.map((one) => JSON.stringify(one))).size === subjects.length, {
        error: 'must not contain duplicates',
      })
      .default([])
      .meta({ uniqueItems: true }),
  }),
  status: 200,
  response: contextExplanation,
  errors: [],
  run: 'direct',
  examples: [
    {
      summary: 'Why an entry is in the context',
      body: {
        scope_id: 'project-alpha',
        query: 'changing HTTP schemas',
        max_bytes: 8000,
        subjects: [exampleSubject],
      },
      response: {
        prepared: { schema: 'service.prepared-context.v1', status: 'ready', ...exampleContext },
        frame_bytes: 212,
        segments: 1,
        terms: [
          { text: 'changing', segment: 1, is_rare: true },
          { text: 'http', segment: 1, is_rare: true },
          { text: 'schemas', segment: 1, is_rare: true },
        ],
        scopes: [
          {
            scope_id: 'project-alpha',
            role: 'current',
            mode: 'fts',
            fallback: null,
            reranked: false,
            memory_hits: 1,
            experience_hits: 1,
          },
        ],
        skipped: [],
        items: [
          {
            family: 'memory',
            scope_id: 'project-alpha',
            citation: {
              memory_ref: { family: 'memory', artifact_id: 'memory', revision: 7 },
              entry_id: exampleSubject.entry_id,
              entry_version_id: '0199c1a0-7d11-7a02-8c77-5be1f3a90c66',
            },
            artifact_ref: null,
            excerpt: 'Run the contract tests after every change of the HTTP schemas.',
            trial: 1,
            outcome: 'included',
            rank: 1,
            rank_before_reranker: null,
            score: 1,
            channels: exampleChannels,
            text_bytes: 62,
            item_bytes: 293,
            room_bytes: 7788,
          },
        ],
        subjects: [
          {
            subject: exampleSubject,
            outcome: 'listed',
            item: 0,
            score: 1,
            last_score: null,
            channels: exampleChannels,
          },
        ],
      },
    },
  ],
});

export type ExplainSubject = z.infer<typeof explainSubject>;
export type ExplainedChannels = z.infer<typeof channels>;
export type ExplainedItem = z.infer<typeof explainedItem>;
export type ExplainedScope = z.infer<typeof explainedScope>;
export type ExplainedTerm = z.infer<typeof explainedTerm>;
export type SubjectResult = z.infer<typeof subjectResult>;
export type ContextExplanation = z.infer<typeof contextExplanation>;
