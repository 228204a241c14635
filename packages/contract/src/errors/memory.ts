import { z } from 'zod';
import { artifactRef, int, memoryCitation, token } from '../notation/shapes.ts';
import { defineError, noDetails } from './record.ts';

const exampleHead = { family: 'memory', artifact_id: 'memory', revision: 7 };

/** Errors of Memory. A Handoff commit uses `revision_conflict` too. */
export const memoryErrors = {
  memory_not_found: defineError({
    status: 404,
    message: 'This Scope has no such Memory, revision or entry.',
    details: noDetails,
    when: 'The Scope has no such Memory, revision or entry.',
    advice:
      'Correct the Scope or the citation. `list_memory_entries` lists the entries with their citations.',
  }),
  revision_conflict: defineError({
    status: 409,
    message: 'The expected revision is not the current one. Read what changed and decide again.',
    details: z.union([
      z.strictObject({
        expected_revision: int(1),
        current_revision: int(1),
        current: artifactRef,
        current_citation: memoryCitation.nullable().optional().meta({
          description: 'For an entry: its citation at the head; null if that Memory never had it.',
        }),
      }),
      z.strictObject({ expected: artifactRef.nullable(), current: artifactRef.nullable() }).meta({
        description: 'Of a Handoff; null means no Handoff.',
      }),
    ]),
    when: 'The expected revision is not the current one.',
    advice: 'Read what changed since the expected revision, decide again, and send the current one.',
    example: {
      message: 'Revision 6 was expected, but 7 is current. Read what changed and decide again.',
      details: { expected_revision: 6, current_revision: 7, current: exampleHead },
    },
  }),
  memory_entry_inactive: defineError({
    status: 409,
    message: 'A retired entry cannot be revised. Remember its content to make it active again.',
    details: z.strictObject({ entry_id: token(1, 128), current: artifactRef }),
    when: 'The entry to revise or to supersede is retired.',
    advice: 'Remember its content to make the entry active again, then revise it.',
    example: { details: { entry_id: '0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4', current: exampleHead } },
  }),
};
