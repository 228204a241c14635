import { z } from 'zod';
import { artifactRef, int, memoryCitation, scopeId, uniqueSourceRefs } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleCitation, exampleEntry, exampleRef } from './examples.ts';
import {
  kindField,
  maxEvidenceRefs,
  maxSuperseded,
  memoryMutation,
  reasonField,
  textField,
  validFromField,
  validUntilField,
} from './shapes.ts';

/** What all operations on Memory have in common. */
export const memoryTag = { method: 'POST', tag: 'memory', auth: 'bearer', status: 200 } as const;

export const leftOut = z
  .strictObject({
    reason: z.enum(['limit', 'too_long', 'credential']).meta({
      description:
        '`limit`: statements beyond the most of a Source. `too_long`: statements that are cut, or a Source that takes too long to read. ' +
        '`credential`: what looks like a password, key, token, card number or IBAN.',
    }),
    count: int(1),
  })
  .meta({ id: 'LeftOut' });

export type LeftOut = z.infer<typeof leftOut>;

export const flushResult = z
  .strictObject({
    status: z.enum(['idle', 'processed']),
    previous_cursor: int(0),
    current_cursor: int(0),
    high_watermark: int(0),
    processed_source_count: int(0),
    memory: artifactRef.nullable(),
    left_out: z
      .array(leftOut)
      .min(1)
      .max(3)
      .optional()
      .meta({ description: 'What extraction left out of these Sources. Absent if nothing was.' }),
  })
  .meta({ id: 'FlushResult' });

export const flushMemory = defineOperation({
  ...memoryTag,
  id: 'flush_memory',
  path: '/v1/memory/flush',
  summary: 'Extract Memory from the next window of captured Sources',
  description:
    'A worker runs the extraction. Repeat until `current_cursor` reaches the position of your capture.',
  body: z.strictObject({ scope_id: scopeId }),
  response: flushResult,
  errors: ['inference_unavailable', 'inference_timeout'],
  run: 'job',
  examples: [
    {
      summary: 'Three Sources became Memory',
      body: { scope_id: 'project-alpha' },
      response: {
        status: 'processed',
        previous_cursor: 0,
        current_cursor: 3,
        high_watermark: 3,
        processed_source_count: 3,
        memory: exampleRef(2),
        left_out: [{ reason: 'limit', count: 12 }],
      },
    },
  ],
});

export const rememberMemory = defineOperation({
  ...memoryTag,
  id: 'remember_memory',
  path: '/v1/memory/remember',
  summary: 'Remember one entry',
  description:
    'The next search finds the entry. Search first: what is no longer true goes into `supersedes`, which ends it and names this ' +
    'entry as its successor. If an equal entry is active, the service returns it, with the evidence of `source_refs`. An ' +
    'equal entry that was retired after these Sources were stored stays retired, and is the answer.',
  body: z.strictObject({
    scope_id: scopeId,
    kind: kindField,
    text: textField,
    reason: reasonField,
    expected_revision: int(1).nullish().meta({ description: 'Refuse it if the Memory has changed since.' }),
    source_refs: uniqueSourceRefs(maxEvidenceRefs).meta({
      description: 'The Sources that support the entry. An equal active entry gains those that it lacks.',
    }),
    valid_from: validFromField,
    valid_until: validUntilField,
    supersedes: z.array(memoryCitation).max(maxSuperseded).default([]).meta({
      description:
        'Citations of entries that this one takes the place of. They end at `valid_from`, or now, and stay readable.',
    }),
  }),
  response: memoryMutation,
  errors: [
    'memory_not_found',
    'revision_conflict',
    'memory_entry_inactive',
    'source_not_found',
    'source_not_eligible',
  ],
  run: 'direct',
  examples: [
    {
      summary: 'A decision',
      body: {
        scope_id: 'project-alpha',
        kind: 'decision',
        text: '  Use Postgres 16 for every environment. ',
      },
      response: { memory: exampleRef(1), entry: exampleEntry(1) },
    },
    {
      summary: 'A fact with its evidence',
      body: {
        scope_id: 'project-alpha',
        kind: 'fact',
        text: 'The export runs on Mondays.',
        source_refs: [{ name: 'content', source_id: 'meeting-7' }],
      },
      response: {
        memory: exampleRef(1),
        entry: {
          ...exampleEntry(1),
          kind: 'fact',
          text: 'The export runs on Mondays.',
          source_refs: [{ name: 'content', source_id: 'meeting-7' }],
        },
      },
    },
    {
      summary: 'What is true now takes the place of what was',
      body: {
        scope_id: 'project-alpha',
        kind: 'fact',
        text: 'Anna works at Globex.',
        supersedes: [exampleCitation(1)],
        valid_from: '2026-10-01T09:00:00+02:00',
      },
      response: {
        memory: exampleRef(2),
        entry: {
          ...exampleEntry(2),
          citation: {
            memory_ref: exampleRef(2),
            entry_id: '0199c1a4-11d0-7a52-9f0e-6b1f3d2c4a58',
            entry_version_id: '0199c1a4-11d0-7e15-b6c1-02c6a1d7e3b8',
          },
          kind: 'fact',
          text: 'Anna works at Globex.',
          valid_from: '2026-10-01T07:00:00.000Z',
        },
      },
    },
  ],
});

export const reviseMemoryEntry = defineOperation({
  ...memoryTag,
  id: 'revise_memory_entry',
  path: '/v1/memory/entries/revise',
  summary: 'Replace kind, text and validity of an active entry',
  description:
    'The citation must name the head revision. Otherwise the answer is 409 with the current citation. A repeat of the request that ' +
    'made the present version answers as the first. With the same kind and text, `valid_until` ends a statement without a successor.',
  body: z.strictObject({
    scope_id: scopeId,
    citation: memoryCitation,
    kind: kindField,
    text: textField,
    reason: reasonField,
    valid_from: validFromField.meta({
      description: 'Since when it holds. Absent keeps what the entry has, null clears it.',
    }),
    valid_until: validUntilField.meta({
      description:
        'The time at which it no longer holds. Absent keeps what the entry has, null clears it. A new value, or null, also clears ' +
        '`superseded_by`.',
    }),
  }),
  response: memoryMutation,
  errors: ['memory_not_found', 'revision_conflict', 'memory_entry_inactive'],
  run: 'direct',
  examples: [
    {
      summary: 'A newer version',
      body: {
        scope_id: 'project-alpha',
        citation: exampleCitation(1),
        kind: 'decision',
        text: 'Use Postgres 18 for every environment.',
        reason: '16 leaves support',
      },
      response: {
        memory: exampleRef(2),
        entry: {
          ...exampleEntry(2),
          citation: exampleCitation(2, '0199c1a4-11d0-7e15-b6c1-02c6a1d7e3b8'),
          version: 2,
          text: 'Use Postgres 18 for every environment.',
        },
      },
    },
  ],
});

export const retireMemoryEntry = defineOperation({
  ...memoryTag,
  id: 'retire_memory_entry',
  path: '/v1/memory/entries/retire',
  summary: 'Retire an entry from search',
  description:
    'The entry stays readable by its citations; the service erases nothing. A repeat of the request that retired the entry answers ' +
    'as the first.',
  body: z.strictObject({ scope_id: scopeId, citation: memoryCitation, reason: reasonField }),
  response: memoryMutation,
  errors: ['memory_not_found', 'revision_conflict'],
  run: 'direct',
  examples: [
    {
      summary: 'An outdated decision',
      body: { scope_id: 'project-alpha', citation: exampleCitation(1), reason: 'superseded' },
      response: { memory: exampleRef(2), entry: { ...exampleEntry(2), state: 'inactive' } },
    },
  ],
});

export type FlushResult = z.infer<typeof flushResult>;
