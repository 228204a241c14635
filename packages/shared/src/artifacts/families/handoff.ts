import type { SourceTypeRef } from '@continuity/contract';
import { type HandoffContent, type HandoffContentInput, handoffId } from '@continuity/contract/handoff';
import { digestHex, type ServiceError, type Sql, serviceError } from '@continuity/shared/kernel';
import { type EvidencePlace, requireEvidence } from '../../evidence/index.ts';
import {
  completeContent,
  directCitations,
  findHead,
  type HandoffToWrite,
  handoffRef,
  keptLineage,
  lineageOf,
  writeFirst,
  writeNext,
} from '../../handoff/index.ts';
import { etagOf } from '../etag.ts';
import type { ArtifactFamily, WrittenRevision } from '../family.ts';
import { presentKept } from './kept-content.ts';

/** A Scope's one Handoff through the Artifact operations. It shares its writer with the commit of the Handoff area. */
export const handoffFamily: ArtifactFamily<HandoffContentInput, HandoffContentInput> = {
  // Its shape says all that there is to say.
  check: () => {},

  complete: completeContent,

  create: async (sql, { source, ...place }, asSent) => {
    const handoff = await checked(sql, place, asSent);
    return writeNew(sql, place, recordedBy(source, handoff));
  },

  replace: async (sql, head, asSent) => {
    const handoff = await checked(sql, head, asSent);
    return {
      commit: async (transaction, source) => {
        const withSource = recordedBy(source, handoff);
        const run: Sql['rows'] = (last, values) => transaction.commitWith(last, values);
        const isWritten = await writeNext(run, head.tenantId, head, withSource);
        if (!isWritten) throw new Error('The head of a Handoff moved although it was locked.');
        return written(head.revision + 1, withSource);
      },
    };
  },

  // Its Citations are values of the Scope that it comes from, and are checked there (spec 10 §7.7).
  publish: async (sql, { source, ...place }, published) => {
    const { content, contentDigest } = presentKept<HandoffContent>(published);
    return writeNew(sql, place, { content, contentDigest, sources: [source], artifacts: [] });
  },

  present: async (_sql, stored) => presentKept<HandoffContent>(stored),
};

/** Throws 409 `artifact_exists` where the Scope has its Handoff already. */
async function writeNew(sql: Sql, place: EvidencePlace, handoff: HandoffToWrite): Promise<WrittenRevision> {
  if (await writeFirst(sql.rows, place, handoff)) return written(1, handoff);
  throw await alreadyThere(sql, place);
}

/** The content as it is kept, with its lineage. Throws 404 and 422 of the evidence (spec 10 §6.3). */
async function checked(sql: Sql, place: EvidencePlace, asSent: HandoffContentInput): Promise<HandoffToWrite> {
  const content = completeContent(asSent);
  await requireEvidence(sql, place, directCitations(content));
  return { content, contentDigest: digestHex(content), ...keptLineage(lineageOf(content)) };
}

/** The Source that records the request comes before those that the content cites (spec 10 §6.1.5). */
function recordedBy(source: SourceTypeRef, handoff: HandoffToWrite): HandoffToWrite {
  return { ...handoff, sources: [source, ...handoff.sources] };
}

function written(revision: number, { content, ...rest }: HandoffToWrite): WrittenRevision {
  return { artifactId: handoffId, revision, content, ...rest };
}

async function alreadyThere(sql: Sql, place: EvidencePlace): Promise<ServiceError> {
  const head = await findHead(sql, place);
  if (head === undefined) throw new Error('A Handoff that was there is gone.');
  const current = handoffRef(head.revision);
  return serviceError('artifact_exists', {
    details: { current, current_etag: etagOf(place.scopeId, current, head.contentDigest) },
  });
}
