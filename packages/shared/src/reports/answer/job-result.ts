import type { Database } from '@continuity/kernel/database';
import type { ReadResult } from '../../jobs/index.ts';
import type { RenderingRef } from '../renderings/rendering.ts';
import { type LoadedReport, loadReport } from './load-report.ts';

/**
 * Reads the result of a report job as `get_job` answers it: a HandoffReportResponse, and for a page its HTML in the same form. The
 * results of other jobs stay as they are.
 */
export function reportResults(database: Database): ReadResult {
  return async (tenantId, { queue, result }) => {
    if (queue !== 'report-render') return result;
    const report = await loadReport(database, tenantId, JSON.parse(result) as RenderingRef);
    return report && responseOf(report);
  };
}

function responseOf({ form, body, selectionDigest, reportDigest }: LoadedReport): string {
  if (form === 'json') return body;
  const digests = { selection_digest: selectionDigest, report_digest: reportDigest };
  if (form === 'html') return JSON.stringify({ format: form, html: body, ...digests });
  return JSON.stringify({ format: form, report: null, markdown: body, ...digests });
}
