import { canonicalJson, hashHex, newId } from '@continuity/shared/kernel';
import { type DocumentRevision, writeFirst, writeNext } from '../../documents/index.ts';
import { type ExperienceContent, searchedText } from '../../experience/index.ts';
import type { ArtifactFamily } from '../family.ts';
import { presentKept } from './kept-content.ts';

/** Experiences through the Artifact operations: approved content, kept as it is sent. */
export const experienceFamily: ArtifactFamily<ExperienceContent, ExperienceContent> = {
  // Its shape says all that there is to say.
  check: () => {},

  create: async (sql, { source, ...scope }, content) => {
    const artifactId = newId();
    const revision = { ...documentOf(content), sources: [source], artifacts: [] };
    await writeFirst(sql.rows, { ...scope, family: 'experience', artifactId }, revision);
    return { ...revision, content, artifactId, revision: 1 };
  },

  replace: async (_sql, { artifacts, artifactId, ...head }, content) => {
    const document = documentOf(content);
    return {
      commit: async (transaction, source) => {
        const revision = { ...document, sources: [source], artifacts };
        await writeNext(
          (last, values) => transaction.commitWith(last, values),
          { ...head, family: 'experience' },
          revision,
        );
        return { ...revision, content, artifactId, revision: head.revision + 1 };
      },
    };
  },

  present: async (_sql, stored) => presentKept<ExperienceContent>(stored),
};

function documentOf(content: ExperienceContent): Omit<DocumentRevision, 'sources' | 'artifacts'> {
  const canonical = canonicalJson(content);
  return { content: canonical, contentDigest: hashHex(canonical), searched: searchedText(content) };
}
