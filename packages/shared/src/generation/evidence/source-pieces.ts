import type { SourceRef } from '@continuity/contract';
import { skillPackageRef } from '@continuity/contract/skills';
import { currentWorkHandoff, handoffReceipt, taskOutcome, workContract } from '@continuity/contract/work';
import { column, optimizationFence, type Queries, statement } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import { z } from 'zod';
import { findPackage } from '../../skills/index.ts';
import { evidenceText, sourceOfScope } from '../../sources/index.ts';
import type { WorkRecordKind } from '../../work-records/index.ts';
import type { EvidencePlaceKey } from '../family.ts';
import { maxPieceText, normalizePiece, type Piece, textPiece } from '../piece.ts';

// Callers may create Sources of these types with other content, which is then read as any content (spec 40 §1.1.8).

/** The fields of an observed use of a Skill that evidence shows. */
const skillUsage = z.object({
  schema: z.literal('service.skill-usage.v1'),
  target_id: z.string(),
  selected: z.boolean(),
  invoked: z.enum(['true', 'false', 'unknown']),
  validation: z.enum(['passed', 'failed', 'unknown']),
  outcome: z.enum(['success', 'failure', 'unknown']),
});

/** The package of an upload or of a snapshot. */
const storedPackage = z.object({
  schema: z.enum(['service.skill-package-upload.v1', 'service.external-skill-snapshot.v1']),
  package: skillPackageRef,
});

/**
 * Truncates long content, because 32 Sources may have 8 MiB each. Reads records and Sources of the service whole, because their
 * shape is known.
 */
const readSources = statement(
  'read_generation_sources',
  `SELECT i.n::int AS place, s.source_type, s.record, s.is_whole, s.content
   FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS i(source_type, source_id, n)
   CROSS JOIN LATERAL (
     SELECT s.source_type, s.record, e.is_whole,
       CASE WHEN e.is_whole THEN s.content
         WHEN json_typeof(e.text::json) = 'string' THEN left(e.text::json #>> '{}', ${maxPieceText + 1})
         ELSE left(e.text, ${maxPieceText + 1}) END AS content
     FROM sources s
     CROSS JOIN LATERAL (
       SELECT ${evidenceText} AS text,
         s.record IS NOT NULL OR s.source_type IN ('skill-usage', 'skill-package-upload', 'external-skill-snapshot')
           AS is_whole
     ) AS e
     WHERE ${sourceOfScope} AND s.source_type = i.source_type AND s.source_id = i.source_id
     ${optimizationFence}
   ) AS s
   ORDER BY i.n`,
  {
    place: column.integer,
    source_type: column.text,
    record: column.text.orNull().as<WorkRecordKind>(),
    is_whole: column.boolean,
    content: column.text.orNull(),
  },
);

/** Reads Sources that exist as pieces, in order. */
export async function readSourcePieces(
  queries: Queries,
  place: EvidencePlaceKey,
  refs: readonly SourceRef[],
): Promise<Piece[]> {
  if (refs.length === 0) return [];
  const rows = await queries.sql.rows(readSources, [
    place.tenantId,
    place.scopeId,
    refs.map(({ name }) => name),
    refs.map(({ source_id }) => source_id),
  ]);
  const pieces: Piece[] = [];
  for (const { source_type, record, is_whole, content } of rows) {
    // An observation without text evidence has no text.
    const text = content ?? '';
    pieces.push(
      is_whole ? await readWhole(queries, place, { type: source_type, record, text }) : textPiece(text),
    );
  }
  return pieces;
}

interface WholeSource {
  type: string;
  record: WorkRecordKind | null;
  /** Canonical JSON. */
  text: string;
}

async function readWhole(
  queries: Queries,
  place: EvidencePlaceKey,
  { type, record, text }: WholeSource,
): Promise<Piece> {
  const content = JSON.parse(text) as JsonValue;
  const read = record === null ? undefined : readRecord(record, content, text);
  if (read !== undefined) return read;
  const usage = type === 'skill-usage' ? skillUsage.safeParse(content).data : undefined;
  if (usage !== undefined) {
    const { target_id, selected, invoked, validation, outcome } = usage;
    const line = `Observed on ${target_id}: selected ${selected}, invoked ${invoked}, validation ${validation}, outcome ${outcome}.`;
    return { kind: 'usage', ...normalizePiece(line) };
  }
  const stored = type === 'skill-usage' ? undefined : storedPackage.safeParse(content).data;
  const known = stored && (await findPackage(queries, place, stored.package.tree_digest));
  if (known !== undefined) return textPiece(`${known.fields.description}\n\n${known.fields.instructions}`);
  return textPiece(typeof content === 'string' ? content : text);
}

function readRecord(record: WorkRecordKind, content: JsonValue, text: string): Piece | undefined {
  if (record === 'task-outcome') {
    const outcome = taskOutcome.safeParse(content).data;
    return outcome && { kind: 'task-outcome', outcome, ...normalizePiece(text) };
  }
  const lines = recordLines(record, content);
  return lines && textPiece(lines.filter((line) => line !== null).join('\n'));
}

/** Returns the texts of a work record, in the order of its fields. Undefined if its content has another shape. */
function recordLines(record: WorkRecordKind, content: JsonValue): (string | null)[] | undefined {
  if (record === 'work-contract') {
    const contract = workContract.safeParse(content).data;
    return (
      contract && [
        contract.objective,
        ...contract.facts.map(({ text }) => text),
        ...contract.in_scope,
        ...contract.exclusions,
        ...contract.completion_criteria,
        ...contract.authorization_notes,
        ...contract.open_questions,
      ]
    );
  }
  if (record === 'handoff-boundary') {
    const boundary = currentWorkHandoff.safeParse(content).data;
    return (
      boundary && [
        boundary.objective,
        ...boundary.state.map(({ text }) => text),
        boundary.next_action?.text ?? null,
        ...boundary.omissions,
      ]
    );
  }
  const receipt = handoffReceipt.safeParse(content).data;
  return receipt && [receipt.message];
}
