import type { ReportLocale } from '@continuity/contract/reports';
import type { Sql } from '@continuity/kernel/database';
import { findRendering } from '../renderings/store.ts';
import { addEntries } from './add-entries.ts';
import { readHead } from './read-head.ts';
import { OutputTooLargeError, type RenderedReport, ReportBuilder } from './report-builder.ts';
import type { ReportLimits, ReportOrder } from './report-deps.ts';
import { outputTooLarge, selectReport } from './select.ts';

/** A report that was read on one snapshot: a stored rendering, or a new one. */
export interface MadeReport {
  /** Null for a selection of Scopes. */
  project: { projectId: string; purgeCount: number } | null;
  locale: ReportLocale;
  selectionDigest: string;
  exactSelectionDigest: string;
  rendering: { storedId: string } | (RenderedReport & { isReusable: boolean });
}

/**
 * Makes a report on a snapshot: resolves the selection, then answers with the stored rendering of it, or reads and renders its
 * entries in chunks (spec 30 §4.4, §4.7). Throws 404, 413 and 422.
 */
export async function makeReport(sql: Sql, order: ReportOrder, limits: ReportLimits): Promise<MadeReport> {
  const { tenantId, request, form } = order;
  const selected = await selectReport(sql, tenantId, request, limits);
  const { head, exactSelectionDigest, activities, positions } = await readHead(sql, order, selected);
  const { project } = selected;
  const locale = request.locale ?? project?.descriptor.default_locale ?? 'en';
  const made = {
    project: project && { projectId: project.descriptor.project_id, purgeCount: project.purgeCount },
    locale,
    selectionDigest: head.selection_digest,
    exactSelectionDigest,
  };
  const key = { tenantId, selectionDigest: head.selection_digest, exactSelectionDigest, form, locale };
  const stored = await findRendering(sql, key, limits.renderingTtlMs);
  if (stored !== undefined) {
    if (stored.bytes > limits.outputBytes) throw outputTooLarge(selected, limits.outputBytes, stored.bytes);
    return { ...made, rendering: { storedId: stored.renderingId } };
  }
  const builder = new ReportBuilder({
    form,
    locale,
    isProject: project !== null,
    limitBytes: limits.outputBytes,
  });
  try {
    const isReusable = await addEntries(sql, order, limits, { selected, positions, activities, builder });
    return { ...made, rendering: { ...builder.finish(head), isReusable } };
  } catch (error) {
    if (!(error instanceof OutputTooLargeError)) throw error;
    throw outputTooLarge(selected, limits.outputBytes, error.bytes);
  }
}
