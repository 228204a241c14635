import { z } from 'zod';
import type { FamilySpec } from '../families/family.ts';
import { hex64, token } from '../notation/shapes.ts';
import { entryChange, kindField, textField, validFromField, validUntilField } from './shapes.ts';

/** Most commands of one Create or Replace (spec 10 §6.2). */
const maxCommands = 100;

const newEntryCommand = z
  .strictObject({
    kind: kindField,
    text: textField,
    valid_from: validFromField,
    valid_until: validUntilField,
  })
  .meta({ id: 'MemoryEntryCommand' });

const entryCommand = z
  .strictObject({
    kind: kindField,
    text: textField,
    entry_id: token(1, 128)
      .nullish()
      .meta({ description: 'The entry that gets this content, named at most once. If absent, a new entry.' }),
    valid_from: validFromField.meta({
      description: 'Since when it holds. Of a named entry, absent keeps what it has, and null clears it.',
    }),
    valid_until: validUntilField.meta({
      description:
        'The time at which it no longer holds. Of a named entry, absent keeps what it has, and null clears it.',
    }),
  })
  .meta({ id: 'MemoryReplaceCommand' });

export const memoryCreateContent = z
  .strictObject({ entries: z.array(newEntryCommand).min(1).max(maxCommands) })
  .meta({ id: 'MemoryCreateContent' });

export const memoryReplaceContent = z
  .strictObject({ entries: z.array(entryCommand).min(1).max(maxCommands) })
  .meta({ id: 'MemoryReplaceContent' });

const manifestEntry = z.strictObject({
  entry_id: token(1, 128),
  entry_version_id: token(1, 128),
  entry_content_hash: hex64,
  state: z.enum(['active', 'inactive']),
});

/** `content` of a memory revision (spec 10 §6.2). */
export const memoryContent = z
  .strictObject({
    schema: z.literal('service.memory.v1'),
    manifest: z.strictObject({ format: z.literal('flat-v1'), entries: z.array(manifestEntry) }),
    changes: z.array(entryChange),
  })
  .meta({ id: 'MemoryContent' });

export type MemoryCreateContent = z.infer<typeof memoryCreateContent>;
export type MemoryReplaceContent = z.infer<typeof memoryReplaceContent>;
export type MemoryContent = z.infer<typeof memoryContent>;
export type ManifestEntry = z.infer<typeof manifestEntry>;

/** Memory entries have search terms of their own, so the Family has no document projection. */
export const memoryFamily = {
  title: 'Memory',
  article: 'a',
  content: memoryContent,
  createContent: memoryCreateContent,
  replaceContent: memoryReplaceContent,
  isSearched: false,
  proposal: null,
  isGenerated: false,
} as const satisfies FamilySpec;
