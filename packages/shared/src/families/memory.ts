import type { MemoryCreateContent, MemoryReplaceContent } from '@continuity/contract/memory';
import type { ArtifactRules } from '../artifacts/index.ts';
import { normalizePiece } from '../generation/index.ts';
import {
  analyzeEntries,
  checkCommands,
  contentDigest,
  createMemory,
  readContent,
  readEntryTexts,
  replaceMemory,
} from '../memory/index.ts';
import type { FamilyRecord } from './family.ts';

/** Memory entries in the Artifact operations. The Memory area is their only writer, with statements and a search of its own. */
const artifacts: ArtifactRules<MemoryCreateContent, MemoryReplaceContent> = {
  check: ({ entries }) => checkCommands(entries),

  complete: ({ entries }) => ({
    entries: entries.map(({ kind, text, valid_from, valid_until }) => ({
      ...{ kind, text },
      ...(valid_from && { valid_from }),
      ...(valid_until && { valid_until }),
    })),
  }),

  create: async (_queries, scope, content) => {
    const projections = await analyzeEntries(scope, content);
    return {
      write: async ({ sql }, { source, ...place }) => {
        const written = await createMemory(sql, place, content, source, projections);
        return { ...written, sources: [source], artifacts: [] };
      },
    };
  },

  replace: async ({ sql }, { artifacts, revision, ...head }, content) => {
    const next = await replaceMemory(sql, { ...head, headRevision: revision }, content);
    return {
      write: async (transaction, source) => {
        const written = await next.commit(transaction.sql, source, artifacts);
        return { ...written, sources: [source], artifacts };
      },
    };
  },

  publish: null,

  present: async ({ sql }, stored) => {
    const content = await readContent(sql, stored);
    return { content, contentDigest: stored.contentDigest ?? (await contentDigest(content)) };
  },
};

export const memoryRecord = {
  artifacts,
  candidates: null,
  generation: null,

  /** Each entry is a paragraph. */
  readPiece: async ({ sql }, place, ref) => {
    const newest = await readEntryTexts(sql, place, ref);
    const { text, isTruncated } = normalizePiece(newest.texts.join('\n\n'));
    return { kind: 'text', text, isTruncated: isTruncated || newest.isTruncated };
  },
} satisfies FamilyRecord<'memory'>;
