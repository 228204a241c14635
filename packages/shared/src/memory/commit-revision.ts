import type { Sql, Transaction } from '@continuity/kernel/database';
import { runInSlices } from '@continuity/kernel/fairness';
import { firstBatchTerm, type TextProjections } from '../search/index.ts';
import { applyPlainRevision, applyRevisionWithValidity } from './apply-revision.ts';
import type { LockedMemory } from './head.ts';
import { type EntryWrite, type Lineage, type RevisionRows, revisionRows } from './revision-rows.ts';

const noLineage: Lineage = { sources: [], artifacts: [] };
const noProjections: TextProjections = new Map();

/**
 * Commits the next revision of a locked Memory and returns its number. The rows and COMMIT share one round trip. `writes` must
 * hold at least one write, and at most one per entry. Long texts are analyzed before the transaction: `known` are their projections.
 */
export async function commitRevision(
  sql: Transaction,
  memory: LockedMemory,
  writes: EntryWrite[],
  lineage: Lineage = noLineage,
  known: TextProjections = noProjections,
): Promise<number> {
  const rows = await runInSlices(revisionRows(memory, writes, lineage, known));
  await applyRevision((last, values) => sql.commitWith(last, values), rows);
  return rows.revision;
}

/** As `commitRevision`, without the COMMIT. */
export async function addRevision(
  sql: Sql,
  memory: LockedMemory,
  writes: EntryWrite[],
  lineage: Lineage = noLineage,
  known: TextProjections = noProjections,
): Promise<number> {
  const rows = await runInSlices(revisionRows(memory, writes, lineage, known));
  await applyRevision(sql.rows, rows);
  return rows.revision;
}

/** Executes the statement through `run`, which may append COMMIT. */
async function applyRevision(run: Sql['rows'], rows: RevisionRows): Promise<void> {
  const { memory, revision, lineage, changes, terms, languages, hasValidity } = rows;
  await run(hasValidity ? applyRevisionWithValidity : applyPlainRevision, [
    memory.tenantId,
    memory.scopeKey,
    memory.artifactKey,
    revision,
    changes,
    lineage.sources.length === 0 ? null : JSON.stringify(lineage.sources),
    lineage.artifacts.length === 0 ? null : JSON.stringify(lineage.artifacts),
    // As text, because the driver takes long to write an array of 100,000 numbers.
    `{${[...terms.keys()].join(',')}}`,
    `{${[...terms.values()].join(',')}}`,
    lineage.contentDigest ?? null,
    firstBatchTerm(memory),
    languages,
  ]);
}
