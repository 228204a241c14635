import { z } from 'zod';
import {
  artifactRef,
  int,
  memoryCitation,
  sourceRef,
  str,
  text,
  time,
  token,
  unboundedText,
} from '../notation/shapes.ts';
import { exactTime } from '../notation/times.ts';

/** Limits of an entry after NFC and trimming (spec 20 M9, M10, M11). */
export const maxEntryTextBytes = 8192;
export const maxKindCharacters = 128;
export const maxReasonCharacters = 512;

/** Limit of a query in characters, as sent and after NFC (spec 20 S2). */
export const maxQueryCharacters = 8192;

/** Most evidence references of one kind that an entry version carries (spec 20 M12). */
export const maxEvidenceRefs = 32;

/** Most entries that one statement takes the place of (spec 26 R6). */
export const maxSuperseded = 16;

/** Validity of a response (spec 26 M22): each field is present only where it has a value, because older clients refuse unknown fields. */
const validity = {
  valid_from: time.optional().meta({ description: 'Since when the statement holds. Absent: ever since.' }),
  valid_until: time.optional().meta({
    description: 'The time at which the statement no longer holds. Absent: it is open.',
  }),
};

export const memoryEntry = z
  .strictObject({
    citation: memoryCitation,
    version: int(1),
    kind: str(1, maxKindCharacters),
    text: z.string(),
    state: z.enum(['active', 'inactive']),
    source_refs: z.array(sourceRef).max(maxEvidenceRefs),
    artifact_refs: z.array(artifactRef).max(maxEvidenceRefs),
    ...validity,
    superseded_by: token(1, 128)
      .optional()
      .meta({ description: 'The `entry_id` of the entry of this Memory that took its place.' }),
  })
  .meta({ id: 'MemoryEntry' });

export const memoryMutation = z
  .strictObject({ memory: artifactRef, entry: memoryEntry.nullable() })
  .meta({ id: 'MemoryMutation' });

export const changeOp = z.enum(['add', 'revise', 'deactivate', 'reactivate']);

export const entryChange = z
  .strictObject({
    op: changeOp,
    entry_id: token(1, 128),
    from_entry_version_id: token(1, 128).nullable(),
    to_entry_version_id: token(1, 128).nullable(),
    reason: str(1, maxReasonCharacters).nullable(),
  })
  .meta({ id: 'EntryChange' });

export const revisionChanges = z
  .strictObject({ memory_ref: artifactRef, changes: z.array(entryChange).min(1) })
  .meta({ id: 'RevisionChanges' });

export const searchHit = z
  .strictObject({
    citation: memoryCitation,
    text: z.string(),
    score: z.number().min(0).max(1),
    matched_by: z
      .array(z.enum(['fts', 'vector']))
      .min(1)
      .max(2),
    ...validity,
  })
  .meta({ id: 'SearchHit' });

/** Fields of a caller's entry. The service checks the limits again after normalization. */
export const kindField = text(1, maxKindCharacters).meta({
  description: 'Open vocabulary; known: fact, preference, decision, constraint, working_note.',
});
export const textField = unboundedText().meta({
  description: `1 to ${maxEntryTextBytes} UTF-8 bytes after NFC and trimming.`,
});
export const reasonField = str(0, maxReasonCharacters)
  .nullish()
  .meta({ description: 'Audit text, kept with the change.' });

/** When a new statement holds. Null means as absent. */
export const validFromField = exactTime.nullish().meta({
  description: 'Since when it holds, if that is known: RFC 3339 with an offset, at most milliseconds.',
});
export const validUntilField = exactTime.nullish().meta({
  description: 'The time at which it no longer holds, if that is known. Later than `valid_from`.',
});
export const asOfField = exactTime.nullish().meta({
  description: 'Entries that hold at this time alone. RFC 3339 with an offset, at most milliseconds.',
});

export const queryField = text(1, maxQueryCharacters).meta({
  description: 'Words, a question, or a whole prompt.',
});

export type MemoryEntry = z.infer<typeof memoryEntry>;
export type MemoryMutation = z.infer<typeof memoryMutation>;
export type EntryChange = z.infer<typeof entryChange>;
export type RevisionChanges = z.infer<typeof revisionChanges>;
export type SearchHit = z.infer<typeof searchHit>;
export type ChangeOp = z.infer<typeof changeOp>;
