import type { ExperienceContent, experienceOperations } from '@continuity/contract/experience';
import type { Database } from '@continuity/kernel/database';
import type { Handlers } from '@continuity/shared/handlers';
import { requireDocument } from '../../documents/index.ts';

/** Dependencies of the operations on Experiences. */
export interface ExperienceDeps {
  database: Database;
}

export const experienceHandlers: Handlers<typeof experienceOperations, ExperienceDeps> = {
  get_experience: async ({ database }, { tenantId }, { body }) => {
    const { scope_id: scopeId, artifact } = body;
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
