import type { ExperienceContent } from '@continuity/contract/experience';
import { canonicalJson, hashHex, newId, type Sql } from '@continuity/shared/kernel';
import { type DocumentRevision, writeFirst, writeNext } from '../../documents/index.ts';
import { searchedText } from '../../experience/index.ts';
import type { ArtifactFamily, NewArtifact, WrittenRevision } from '../family.ts';
import { presentKept } from './kept-content.ts';

/** Experiences through the Artifact operations: approved content, kept as it is sent. */
export const experienceFamily: ArtifactFamily<ExperienceContent, ExperienceContent> = {
  // Its shape says all that there is to say.
  check: () => {},

  complete: (content) => content,

  create: writeNew,

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

  publish: (sql, artifact, published) =>
    writeNew(sql, artifact, presentKept<ExperienceContent>(published).content),

  present: async (_sql, stored) => presentKept<ExperienceContent>(stored),
};

async function writeNew(
  sql: Sql,
  { source, ...scope }: NewArtifact,
  content: ExperienceContent,
): Promise<WrittenRevision> {
  const artifactId = newId();
  const revision = { ...documentOf(content), sources: [source], artifacts: [] };
  await writeFirst(sql.rows, { ...scope, family: 'experience', artifactId }, revision);
  return { ...revision, content, artifactId, revision: 1 };
}

function documentOf(content: ExperienceContent): Omit<DocumentRevision, 'sources' | 'artifacts'> {
  const canonical = canonicalJson(content);
  return { content: canonical, contentDigest: hashHex(canonical), searched: searchedText(content) };
}
