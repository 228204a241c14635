import { z } from 'zod';
import { artifactRef, int, memoryCitation, sourceRef, str, token, unboundedStr } from '../notation/shapes.ts';

/** Most evidence references of one kind that an entry version carries (M12). */
export const maxEvidenceRefs = 32;

export const memoryEntry = z
  .strictObject({
    citation: memoryCitation,
    version: int(1),
    kind: str(1, 128),
    text: z.string(),
    state: z.enum(['active', 'inactive']),
    source_refs: z.array(sourceRef).max(maxEvidenceRefs),
    artifact_refs: z.array(artifactRef).max(maxEvidenceRefs),
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
    reason: str(1, 512).nullable(),
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
  })
  .meta({ id: 'SearchHit' });

/** Fields of a caller's entry; the bounds in bytes after normalization are checked by `normalizeEntry`. */
export const kindField = str(1, 128).meta({
  description: 'Open vocabulary; known: fact, preference, decision, constraint, working_note.',
});
export const textField = unboundedStr(1).meta({
  description: '1 to 8192 UTF-8 bytes after NFC and trimming.',
});
export const reasonField = str(0, 512).nullish().meta({ description: 'Audit text, kept with the change.' });

export type MemoryEntry = z.infer<typeof memoryEntry>;
export type MemoryMutation = z.infer<typeof memoryMutation>;
export type EntryChange = z.infer<typeof entryChange>;
export type RevisionChanges = z.infer<typeof revisionChanges>;
export type SearchHit = z.infer<typeof searchHit>;
export type ChangeOp = z.infer<typeof changeOp>;
