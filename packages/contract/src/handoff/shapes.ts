import { z } from 'zod';
import type { FamilySpec } from '../families/family.ts';
import { artifactRef, byteBudget, citation, int, scopeId, sourceRef, text } from '../notation/shapes.ts';

/** The fixed id of a Scope's Handoff (spec 30 §3). */
export const handoffId = 'handoff';

/** Limits of content (spec 30 §3.1, §3.2.1). */
export const maxStatementCitations = 32;
export const maxStateStatements = 64;
export const maxOmissions = 64;

/** The objective, a statement or an omission. */
const handoffText = text(1, 8192);

/** Fields of a request for a draft, which the row of its job stores too. */
export const draftFields = { scope_id: scopeId, objective: handoffText, max_bytes: byteBudget };

export const disposition = z.enum(['continuable', 'blocked', 'complete']);

export const handoffStatement = z
  .strictObject({ text: handoffText, citations: z.array(citation).min(1).max(maxStatementCitations) })
  .meta({ id: 'HandoffStatement' });

const stateField = z.array(handoffStatement).min(1).max(maxStateStatements);
const contentSchema = z.literal('service.handoff.v1');

// Each shape has two forms: the complete form of responses, and the input form of requests (spec 30 §8.1).

export const handoffOmission = z
  .strictObject({ text: handoffText, citation: citation.nullable() })
  .meta({ id: 'HandoffOmission' });

export const handoffDraft = z
  .strictObject({
    objective: handoffText,
    state: stateField,
    disposition,
    next_action: handoffStatement.nullable(),
    omissions: z.array(handoffOmission).max(maxOmissions),
  })
  .meta({ id: 'HandoffDraft' });

export const handoffContent = z
  .strictObject({ schema: contentSchema, ...handoffDraft.shape })
  .meta({ id: 'HandoffContent' });

export const preparedHandoff = z
  .strictObject({
    schema: z.literal('service.prepared-handoff.v1'),
    scope_id: scopeId,
    base: artifactRef.nullable(),
    content: handoffContent,
  })
  .meta({ id: 'PreparedHandoff' });

const omissionInput = z
  .strictObject({ text: handoffText, citation: citation.nullable().default(null) })
  .meta({ id: 'HandoffOmissionInput' });
const omissionsInput = z.array(omissionInput).max(maxOmissions);

/** A draft in a request, with defaults for absent fields. */
export const handoffDraftInput = z
  .strictObject({
    ...handoffDraft.shape,
    next_action: handoffStatement.nullable().default(null),
    omissions: omissionsInput.default([]),
  })
  .meta({ id: 'HandoffDraftInput' });

/** Content of Create and Replace. Recorded as sent, so the shape has no defaults. */
export const handoffContentInput = z
  .strictObject({
    schema: contentSchema,
    ...handoffDraft.shape,
    next_action: handoffStatement.nullish(),
    omissions: z
      .array(z.strictObject({ text: handoffText, citation: citation.nullish() }))
      .max(maxOmissions)
      .optional(),
  })
  .meta({ id: 'HandoffContentInput' });

/** A Prepared Handoff in a request. Only the Citations of omissions are optional (spec 30 §1.2). */
export const preparedHandoffInput = z
  .strictObject({
    ...preparedHandoff.shape,
    content: z.strictObject({ ...handoffContent.shape, omissions: omissionsInput }),
  })
  .meta({ id: 'PreparedHandoffInput' });

export const committedHandoff = z
  .strictObject({
    reference: artifactRef,
    content: handoffContent,
    source_refs: z.array(sourceRef),
    artifact_refs: z.array(artifactRef),
  })
  .meta({ id: 'CommittedHandoff' });

export const handoffActivation = z
  .strictObject({
    status: z.enum(['generated', 'ignored']),
    boundary_source: sourceRef,
    previous_position: int(0),
    current_position: int(0),
    draft: handoffDraft.nullable(),
  })
  .meta({ id: 'HandoffActivation' });

export const handoffEvidenceCheck = z
  .strictObject({
    claim: z.enum(['state', 'next_action']),
    state_index: int(0, maxStateStatements - 1).nullable(),
    status: z.enum(['available', 'unavailable']),
    unavailable_evidence: z.array(citation).max(maxStatementCitations),
  })
  .meta({ id: 'HandoffEvidenceCheck' });

export const handoffSelection = z.enum(['prepared', 'exact', 'latest']);

export const handoffResolution = z
  .strictObject({
    trust: z.literal('untrusted_history'),
    status: z.enum(['empty', 'resolved']),
    scope_id: scopeId,
    content: handoffContent.nullable(),
    selection: handoffSelection.nullable(),
    selected_revision: artifactRef.nullable(),
    current_revision: artifactRef.nullable(),
    evidence_checks: z.array(handoffEvidenceCheck).max(maxStateStatements + 1),
  })
  .meta({ id: 'HandoffResolution' });

export type HandoffStatement = z.infer<typeof handoffStatement>;
export type HandoffOmission = z.infer<typeof handoffOmission>;
export type HandoffDraft = z.infer<typeof handoffDraft>;
export type HandoffContent = z.infer<typeof handoffContent>;
export type HandoffContentInput = z.infer<typeof handoffContentInput>;
export type PreparedHandoff = z.infer<typeof preparedHandoff>;
export type CommittedHandoff = z.infer<typeof committedHandoff>;
export type HandoffActivation = z.infer<typeof handoffActivation>;
export type HandoffEvidenceCheck = z.infer<typeof handoffEvidenceCheck>;
export type HandoffResolution = z.infer<typeof handoffResolution>;

/** Limit of Citations for one draft. */
export const maxEvidence: number = 32;

export const handoffFamily = {
  title: 'Handoff',
  article: 'a',
  content: handoffContent,
  createContent: handoffContentInput,
  replaceContent: handoffContentInput,
  isSearched: false,
  proposal: null,
  isGenerated: false,
} as const satisfies FamilySpec;
