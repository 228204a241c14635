import type { HandoffReport, HandoffReportResponse } from '@continuity/contract/reports';
import type { Client, RawReply } from '@continuity/testing';
import { handoffCalls, prepared } from './handoff.ts';

/** A report request, with fields of the wrong kind allowed. */
type ReportBody = Record<string, unknown>;

/** Short calls for reports. */
export function reportCalls(client: Client) {
  const get = (body: ReportBody, headers: Record<string, string> = {}): Promise<RawReply> =>
    client.send('POST', '/v1/handoff-reports/get', body, headers);
  return {
    get,
    /** The JSON report of a request that must succeed. */
    report: async (body: ReportBody): Promise<HandoffReport> => {
      const { status, json, text } = await get(body);
      const { report } = json as HandoffReportResponse;
      if (status !== 200 || report === null) throw new Error(`The report was answered ${status}: ${text}`);
      return report;
    },
    view: (query: Record<string, string>, headers: Record<string, string> = {}) =>
      client.send('GET', `/reports/view?${new URLSearchParams(query)}`, undefined, headers),
    /** Commits the Handoff after revision `base`; `objective` makes it another one. */
    commit: (scope_id: string, base: number, objective = `Objective ${base + 1}`) =>
      handoffCalls(client).commit(scope_id, prepared(scope_id, base, { objective })),
  };
}

export const exact = (...scope_ids: string[]) => ({ selection: { mode: 'exact', scope_ids } });
