import type { MemoryCreateContent, MemoryReplaceContent } from '@continuity/contract/memory';
import {
  analyzeEntries,
  checkCommands,
  contentDigest,
  createMemory,
  readContent,
  replaceMemory,
} from '../../memory/index.ts';
import type { ArtifactFamily } from '../family.ts';

/** Memory entries in the Artifact operations. The Memory area is their only writer, with statements of its own. */
export const memoryFamily: ArtifactFamily<MemoryCreateContent, MemoryReplaceContent> = {
  check: ({ entries }) => checkCommands(entries),

  complete: (content) => content,

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
