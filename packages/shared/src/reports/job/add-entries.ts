import type { Sql } from '@continuity/kernel/database';
import { readContinuity } from '../../work-records/index.ts';
import { type EntryParts, toEntry } from '../content/entry.ts';
import { readHandoffs } from '../read/contents.ts';
import { readDescriptors } from '../read/descriptors.ts';
import { EvidenceChecker } from '../read/evidence.ts';
import type { PlannedEntry } from '../read/plan.ts';
import type { ReadHead } from './read-head.ts';
import type { ReportBuilder } from './report-builder.ts';
import type { ReportLimits, ReportOrder } from './report-deps.ts';
import type { SelectedReport } from './select.ts';

/** Limits of a chunk, which is in memory at a time: its entries, and the bytes of their texts. */
const chunkEntries = 100;
const chunkBytes = 1024 * 1024;

interface EntryWork extends Pick<ReadHead, 'positions' | 'activities'> {
  selected: SelectedReport;
  builder: ReportBuilder;
}

/** Reads and renders the entries. Returns false if the time limit ended before all evidence was checked. */
export async function addEntries(
  sql: Sql,
  { tenantId, request }: ReportOrder,
  { evidenceBudgetMs }: ReportLimits,
  { selected, positions, activities, builder }: EntryWork,
): Promise<boolean> {
  const checker = request.include_evidence_checks
    ? new EvidenceChecker(sql, tenantId, evidenceBudgetMs)
    : null;
  let hasTime = true;
  for (const { from, entries } of chunksOf(selected.entries)) {
    const [handoffs, descriptors, continuity] = await Promise.all([
      readHandoffs(sql, tenantId, entries),
      readDescriptors(sql, tenantId, entries),
      readContinuity(
        sql,
        tenantId,
        entries.map(({ scopeId, scopeKey, selected: chosen }, index) => ({
          scopeId,
          scopeKey,
          throughPosition: positions[from + index] ?? 0,
          selectedRevision: chosen?.revision ?? null,
        })),
      ),
    ]);
    const checks = await checker?.check(handoffs);
    entries.forEach(({ scopeId }, index) => {
      const scope = descriptors.scopes.get(scopeId);
      const workContinuity = continuity[index];
      if (scope === undefined || workContinuity === undefined)
        throw new Error('A selected Scope was not read.');
      const handoff = handoffs.get(scopeId) ?? null;
      const evidence = evidenceOf(checks, scopeId);
      if (handoff !== null && evidence === 'out_of_time') hasTime = false;
      builder.add(
        toEntry({
          scope,
          workstream: descriptors.workstreams.get(scopeId) ?? null,
          handoff,
          evidence,
          continuity: workContinuity,
          activities: activities.get(scopeId) ?? [],
        }),
      );
    });
  }
  return hasTime;
}

function evidenceOf(
  checks: Map<string, Exclude<EntryParts['evidence'], string>> | undefined,
  scopeId: string,
): EntryParts['evidence'] {
  if (checks === undefined) return 'not_requested';
  return checks.get(scopeId) ?? 'out_of_time';
}

/** Splits entries into chunks, in order. `from` is the index of the first entry of a chunk. */
function chunksOf(entries: readonly PlannedEntry[]): { from: number; entries: PlannedEntry[] }[] {
  const chunks: { from: number; entries: PlannedEntry[] }[] = [];
  let room = 0;
  entries.forEach((entry, from) => {
    const bytes = entry.bytes.content + entry.bytes.descriptor + entry.bytes.events;
    const last = chunks.at(-1);
    if (last === undefined || last.entries.length === chunkEntries || room < bytes) {
      chunks.push({ from, entries: [entry] });
      room = chunkBytes - bytes;
    } else {
      last.entries.push(entry);
      room -= bytes;
    }
  });
  return chunks;
}
