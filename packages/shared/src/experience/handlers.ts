import type { ArtifactRef } from '@continuity/contract';
import type { ExperienceContent, experienceOperations } from '@continuity/contract/experience';
import type { Database } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { Handlers } from '@continuity/shared/handlers';
import { requireDocument } from '../documents/index.ts';
import { decodeShortId } from '../evidence/index.ts';

/** Dependencies of the operations on Experiences. */
export interface ExperienceDeps {
  database: Database;
}

export const experienceHandlers: Handlers<typeof experienceOperations, ExperienceDeps> = {
  get_experience: async ({ database }, { tenantId }, { body }) => {
    const { scope_id: scopeId, short_id: shortId = '' } = body;
    const artifact = body.artifact ?? experienceOf(shortId);
    const { content, source_refs, artifact_refs } = await requireDocument(database, {
      tenantId,
      scopeId,
      family: 'experience',
      artifact,
    });
    return {
      body: { artifact, content: JSON.parse(content) as ExperienceContent, source_refs, artifact_refs },
    };
  },
};

/** The revision of a short id (spec 25 Q11). Throws 404 `artifact_not_found` where no Experience can have it. */
function experienceOf(shortId: string): ArtifactRef {
  const decoded = decodeShortId(shortId);
  if (decoded === undefined) throw serviceError('artifact_not_found');
  return { family: 'experience', artifact_id: decoded.id, revision: decoded.number };
}
