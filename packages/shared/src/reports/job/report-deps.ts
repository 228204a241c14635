import type { PageJobPayload } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/shared/kernel';
import type { ReportForm } from '../model/frame.ts';

/** Limits of reports (spec 30 §7). */
export interface ReportLimits {
  outputBytes: number;
  maxScopes: number;
  evidenceBudgetMs: number;
  renderingTtlMs: number;
  renderingBytes: number;
}

/** Dependencies of the report jobs. */
export interface ReportDeps {
  database: Database;
  limits: ReportLimits;
}

/** The request of a report job. */
export interface ReportOrder {
  tenantId: TenantId;
  request: PageJobPayload;
  form: ReportForm;
}
