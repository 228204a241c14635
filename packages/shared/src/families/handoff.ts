import { type HandoffContent, type HandoffContentInput, handoffId } from '@continuity/contract/handoff';
import type { Sql } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { digestHex } from '@continuity/kernel/json';
import {
  type ArtifactRules,
  etagOf,
  readStoredContent,
  type WrittenRevision,
  withSource,
} from '../artifacts/index.ts';
import { type EvidencePlace, handoffRef, requireEvidence } from '../evidence/index.ts';
import { readContent, textPiece } from '../generation/index.ts';
import {
  completeContent,
  directCitations,
  findHead,
  type HandoffToWrite,
  lineageOf,
  toLineageColumns,
  writeFirst,
  writeNext,
} from '../handoff/index.ts';
import type { FamilyRecord } from './family.ts';

/** The one Handoff of a Scope in the Artifact operations. The Handoff area is its only writer, with statements of its own. */
const artifacts: ArtifactRules<HandoffContentInput, HandoffContentInput> = {
  // The shape expresses all rules.
  check: () => {},

  complete: completeContent,

  // The check of the evidence needs the key of the Scope, which the transaction may create.
  create: async (_queries, _scope, sent) => ({
    write: async ({ sql }, { source, ...place }) => {
      const handoff = await decide(sql, place, sent);
      return writeNew(sql, place, withSource(source, handoff));
    },
  }),

  replace: async ({ sql }, head, sent) => {
    const handoff = await decide(sql, head, sent);
    return {
      write: async (transaction, source) => {
        const next = withSource(source, handoff);
        const isWritten = await writeNext(transaction.sql, head.tenantId, head, next);
        if (!isWritten) throw new Error('The head of a Handoff moved although it was locked.');
        return toWritten(head.revision + 1, next);
      },
    };
  },

  // Its Citations name values of the source Scope and were checked there (spec 10 §7.1.7).
  publish: async (_queries, _scope, published) => {
    const { content, contentDigest } = readStoredContent<HandoffContent>(published);
    return {
      write: ({ sql }, { source, ...place }) =>
        writeNew(sql, place, { content, contentDigest, sources: [source], artifacts: [] }),
    };
  },

  present: async (_queries, stored) => readStoredContent<HandoffContent>(stored),
};

export const handoffRecord = {
  artifacts,
  candidates: null,
  generation: null,

  readPiece: async (queries, place, ref) => {
    const content = await readContent<HandoffContent>(queries, place, ref);
    const { objective, state, next_action, omissions } = content;
    const statements = [...state, ...(next_action === null ? [] : [next_action]), ...omissions];
    return textPiece([objective, ...statements.map(({ text }) => text)].join('\n'));
  },
} satisfies FamilyRecord<'handoff'>;

/** Throws 409 `artifact_exists` if the Scope has a Handoff. */
async function writeNew(sql: Sql, place: EvidencePlace, handoff: HandoffToWrite): Promise<WrittenRevision> {
  if (await writeFirst(sql, place, handoff)) return toWritten(1, handoff);
  throw await artifactExists(sql, place);
}

/** Returns the content to store, with its lineage. Throws 404 and 422 of the evidence (spec 10 §6.3). */
async function decide(sql: Sql, place: EvidencePlace, sent: HandoffContentInput): Promise<HandoffToWrite> {
  const content = completeContent(sent);
  await requireEvidence(sql, place, directCitations(content));
  return { content, contentDigest: digestHex(content), ...toLineageColumns(lineageOf(content)) };
}

function toWritten(revision: number, { content, ...rest }: HandoffToWrite): WrittenRevision {
  return { artifactId: handoffId, revision, content, ...rest };
}

async function artifactExists(sql: Sql, place: EvidencePlace): Promise<ServiceError> {
  const head = await findHead(sql, place);
  if (head === undefined) throw new Error('The Handoff that exists cannot be read.');
  const current = handoffRef(head.revision);
  return serviceError('artifact_exists', {
    details: { current, current_etag: etagOf(place.scopeId, current, head.contentDigest) },
  });
}
