import type { Answer } from '@continuity/shared/handlers';
import { pagePolicy } from '../document/page-style.ts';
import type { ReportForm } from '../model/frame.ts';
import { reportWithin } from '../render/report-builder.ts';
import type { LoadedReport } from './load-report.ts';

const mediaTypes: Record<ReportForm, string> = {
  json: 'application/json; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** File names hold no stored text and no id. */
const fileNames: Record<ReportForm, string> = {
  json: 'handoff-report.json',
  markdown: 'handoff-report.md',
  html: 'handoff-report.html',
};

const pageHeaders = {
  'Content-Security-Policy': pagePolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The HTTP answer of a report (spec 30 §4.1, §4.11.3). A downloaded JSON report stands alone, without its envelope. */
export function reportAnswer({ form, locale, body, ...digests }: LoadedReport, download: boolean): Answer {
  return {
    body: form === 'json' && download ? reportWithin(body) : body,
    headers: {
      'Content-Type': mediaTypes[form],
      'X-Service-Selection-Digest': digests.selectionDigest,
      'X-Service-Report-Digest': digests.reportDigest,
      ...(form !== 'json' && { 'Content-Language': locale }),
      ...(form === 'html' && pageHeaders),
      ...(download && { 'Content-Disposition': `attachment; filename="${fileNames[form]}"` }),
    },
  };
}
