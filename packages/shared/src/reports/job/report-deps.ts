import type { Database } from '@continuity/shared/kernel';

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
