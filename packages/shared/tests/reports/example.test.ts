import { readFile } from 'node:fs/promises';
import {
  exampleReport,
  exampleReportDigest,
  exampleSelectionDigest,
  handoffReportResponse,
} from '@continuity/contract/reports';
import { canonicalJson } from '@continuity/kernel/json';
import { expect, test } from 'vitest';
import { canonicalSelection, selectionDigest } from '../../src/reports/content/digests.ts';
import { reportWithin } from '../../src/reports/job/report-builder.ts';
import { render, renderText } from './support/render.ts';

const { project, scopes, ...rest } = exampleReport;
const selection = {
  selection: rest.selection,
  scope_ids: rest.scope_ids,
  project_id: project?.project_id ?? null,
  project_revision: rest.project_revision,
  normalized_filters: rest.normalized_filters,
  normalized_period: rest.normalized_period,
  selection_consistency: rest.selection_consistency,
  activity_cursor: rest.activity_cursor,
  baseline_selection: rest.baseline_selection,
  end_selection: rest.end_selection,
  activity_selection: scopes.flatMap(({ activities }) => activities),
};

test('spec 30 §4.5: the canonical selection of the example, and its digest', () => {
  expect(canonicalJson(canonicalSelection(selection))).toBe(
    '{"activity_cursor":1,"activity_selection":[{"event_id":"019a0c5d-0c6e-7f3a-8d22-5b0a9f3c1e77","observed_at":"2026-10-01T10:03:11.402Z","occurred_at":"2026-10-01T10:02:00.000Z","source":"git_commit","source_event_id":"git:9f2c1d7","time_basis":"source_reported"}],"baseline_selection":null,"end_selection":[{"handoff_ref":{"artifact_id":"handoff","family":"handoff","revision":1},"scope_id":"checkout-api","scope_version":1,"source_position":2,"status":"selected","workstream_revision":1}],"normalized_filters":{"include_archived":false,"include_evidence_checks":true},"normalized_period":null,"project_id":"019a0c2e-7b10-7c44-9a51-2f6f0f4f9d10","project_revision":1,"schema":"service.handoff-report-selection.v2","scope_ids":["checkout-api"],"selection":null,"selection_consistency":"snapshot"}',
  );
  expect(selectionDigest(selection)).toBe(exampleSelectionDigest);
});

test('spec 30 §4.8: the example as JSON, and its digest', () => {
  const { body, reportDigest } = render(exampleReport);
  expect(reportDigest).toBe(exampleReportDigest);
  expect(handoffReportResponse.parse(JSON.parse(body.toString()))).toEqual({
    format: 'json',
    report: exampleReport,
    markdown: null,
    selection_digest: exampleSelectionDigest,
    report_digest: exampleReportDigest,
  });
  expect(JSON.parse(reportWithin(body.toString()))).toEqual(exampleReport);
});

test('spec 30 §4.10: the example as Markdown, byte for byte', async () => {
  const wanted = await readFile(new URL('example-report.md.txt', import.meta.url), 'utf8');
  expect(renderText(exampleReport, { form: 'markdown' })).toBe(wanted);
});

test('spec 30 §4.6: exactly the limit is allowed, and a byte less answers more than the limit', () => {
  for (const form of ['json', 'markdown', 'html'] as const) {
    const { length } = render(exampleReport, { form }).body;
    expect(render(exampleReport, { form, limitBytes: length }).body).toHaveLength(length);
    expect(() => render(exampleReport, { form, limitBytes: length - 1 })).toThrow(
      expect.objectContaining({ name: 'OutputTooLargeError', bytes: length }),
    );
    expect(() => render(exampleReport, { form, limitBytes: 100 })).toThrow(
      expect.objectContaining({
        name: 'OutputTooLargeError',
        bytes: expect.toSatisfy((n) => n > 100 && n < length),
      }),
    );
  }
});
