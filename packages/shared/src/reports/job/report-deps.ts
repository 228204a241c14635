import type { PageJobPayload } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import type { ReportForm } from '../model/frame.ts';

/** Limits of reports (spec 30 §7). */
export interface ReportLimits {
  /** Limit of the body, in bytes. */
  outputBytes: number;
  /** Limit of the Scopes of a selection without a Project. */
  maxScopes: number;
  /** Limit of the time for all evidence checks of a report. 0: none is checked. */
  evidenceBudgetMs: number;
  /** Time for which an equal selection is answered with a stored rendering. 0: never. */
  renderingTtlMs: number;
  /** Limit of the reusable renderings of a tenant, in bytes. */
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
