import type { ReportLocale } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { digestFromBytes } from '@continuity/kernel/json';
import type { ReportForm } from '../model/frame.ts';
import type { RenderingRef } from '../renderings/rendering.ts';
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
  const digests = {
    selectionDigest: digestFromBytes(selection_digest),
    reportDigest: digestFromBytes(report_digest),
  };
  return { form, locale, body, ...digests };
}
