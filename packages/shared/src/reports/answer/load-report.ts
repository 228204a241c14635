import type { ReportLocale } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/shared/kernel';
import type { ReportForm } from '../model/frame.ts';
import { type RenderingRef, toDigest } from '../renderings/rendering.ts';
import { loadRendering } from '../renderings/store.ts';

/** A rendered report as it is stored. */
export interface LoadedReport {
  form: ReportForm;
  locale: ReportLocale;
  selectionDigest: string;
  reportDigest: string;
  /** HandoffReportResponse as JSON, the Markdown document, or the page. */
  body: string;
}

/** Loads the rendering that a job refers to; undefined if a purge has deleted it. */
export async function loadReport(
  { sql }: Database,
  tenantId: TenantId,
  { rendering_id }: RenderingRef,
): Promise<LoadedReport | undefined> {
  const row = await loadRendering(sql, tenantId, rendering_id);
  if (row === undefined) return undefined;
  const { form, locale, body, selection_digest, report_digest } = row;
  const digests = { selectionDigest: toDigest(selection_digest), reportDigest: toDigest(report_digest) };
  return { form, locale, body, ...digests };
}
