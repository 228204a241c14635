import type { HandoffReport, ReportLocale } from '@continuity/contract/reports';
import type { ReportForm } from '../../../src/reports/content/frame.ts';
import { type RenderedReport, ReportBuilder } from '../../../src/reports/job/report-builder.ts';

interface RenderOptions {
  form?: ReportForm;
  locale?: ReportLocale;
  limitBytes?: number;
}

/** Renders a complete report again in any form. */
export function render(
  report: HandoffReport,
  { form = 'json', locale = report.locale, limitBytes = 64 * 1024 * 1024 }: RenderOptions = {},
): RenderedReport {
  const { scopes, report_digest: _, ...head } = report;
  const builder = new ReportBuilder({ form, locale, isProject: report.project !== null, limitBytes });
  for (const entry of scopes) builder.add(entry);
  return builder.finish(head);
}

/** As `render`, as text. */
export function renderText(report: HandoffReport, options: RenderOptions): string {
  return render(report, options).body.toString('utf8');
}
