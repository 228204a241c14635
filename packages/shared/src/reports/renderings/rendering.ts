import type { ReportLocale } from '@continuity/contract/reports';
import { bytesOfDigest, type TenantId } from '@continuity/shared/kernel';
import { type ReportForm, renderers } from '../model/frame.ts';

/** Identifies what a rendering shows: equal keys have equal bodies (spec 30 §4.7.1). */
export interface RenderingKey {
  tenantId: TenantId;
  /** The contract's `digest` form. */
  selectionDigest: string;
  form: ReportForm;
  locale: ReportLocale;
}

/** The result of a report job, as its row stores it. */
export interface RenderingRef {
  rendering_id: string;
}

/** The values of the columns of `report_renderings_key`, in its order. */
export function keyValues({ tenantId, selectionDigest, form, locale }: RenderingKey): unknown[] {
  return [tenantId, bytesOfDigest(selectionDigest), renderers[form].renderer_version, form, locale];
}
