import type { HandoffReport } from '@continuity/contract/reports';

/** The format and the renderer of each form of a report. No JSON report has those of the page (spec 30 §4.11.7). */
export const renderers = {
  json: { format: 'json', renderer_version: 'canonical-v1' },
  markdown: { format: 'markdown', renderer_version: 'markdown-v2' },
  html: { format: 'html', renderer_version: 'html-v1' },
} as const;

/** A form in which a report is rendered and answered. */
export type ReportForm = keyof typeof renderers;

/** A report in any form without its entries, which are rendered one by one. */
export interface ReportFrame extends Omit<HandoffReport, 'scopes' | 'format'> {
  format: ReportForm;
}
