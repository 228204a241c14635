import type { ArtifactRef, SourceRef } from '@continuity/contract';
import type { Evidence } from '@continuity/contract/review';
import type { Database, ScopeKey, TenantId } from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import { createArtifact } from '../../src/artifacts/create.ts';
import { proposedExperience } from '../../src/experience/index.ts';
import { families } from '../../src/families/index.ts';
import { createCandidate, type NewCandidate } from '../../src/review/index.ts';
import {
  captureContent,
  prepareCapture,
  recordArtifactWrite,
  writeContent,
} from '../../src/sources/index.ts';

export const content = {
  situation: 'The client was stale.',
  action: 'Regenerated it.',
  outcome: 'All green.',
  lesson: 'Regenerate first.',
};

export const experience = proposedExperience(content);

export const evidenceOf = (more: Partial<Evidence> = {}): Evidence => ({
  source_refs: [],
  artifact_refs: [],
  target: null,
  reason: null,
  ...more,
});

/** Writes what Candidates cite, in one Scope. */
export function evidenceWriter(database: Database, tenantId: TenantId, scopeId: string) {
  return {
    source: async (sourceId: string): Promise<SourceRef> => {
      const capture = prepareCapture({ scope_id: scopeId, source_id: sourceId, content: sourceId });
      await captureContent(database, tenantId, capture, null);
      return { name: 'content', source_id: sourceId };
    },
    lineageSource: async (): Promise<SourceRef> => {
      const write = { tenantId, scopeId, content: writeContent('request') };
      const { source } = await database.transaction((sql) => recordArtifactWrite(sql, write));
      return { name: 'content', source_id: source.source_id };
    },
    experience: async (): Promise<ArtifactRef> => {
      const body = { family: 'experience' as const, content };
      const creation = { tenantId, scopeId, idempotencyKey: undefined, body };
      const { artifact_id } = (await createArtifact({ database, families }, creation)).body;
      return { family: 'experience', artifact_id, revision: 1 };
    },
    skill: async (): Promise<ArtifactRef> => {
      const fields = { name: 'hello', description: 'Say hello.', instructions: 'Say hello.', validation: [] };
      const body = { family: 'skill' as const, content: fields };
      const creation = { tenantId, scopeId, idempotencyKey: undefined, body };
      const { artifact_id } = (await createArtifact({ database, families }, creation)).body;
      return { family: 'skill', artifact_id, revision: 1 };
    },
  };
}

/** Creates a Candidate in a transaction of its own. */
export async function addCandidate(
  database: Database,
  place: { tenantId: TenantId; scopeKey: ScopeKey },
  more: Partial<NewCandidate> = {},
) {
  const candidate: NewCandidate = {
    ...place,
    candidateId: newId(),
    origin: 'proposed',
    workKey: null,
    proposed: experience,
    evidence: evidenceOf({ source_refs: [{ name: 'content', source_id: 'a' }] }),
    actor: null,
    at: new Date(),
    ...more,
  };
  return await database.prismaTransaction((transaction) => createCandidate(transaction, candidate));
}
