import type { ReportLocale } from '@continuity/contract/reports';
import type { TenantId } from '@continuity/kernel/database';
import { bytesOfDigest } from '@continuity/kernel/json';
import { type ReportForm, renderers } from '../model/frame.ts';

/** Identifies what a rendering shows: equal keys have equal bodies (spec 30 §4.7.1). */
export interface RenderingKey {
  tenantId: TenantId;
  /** The contract's `digest` form. */
  selectionDigest: string;
  /** The digest of the selection without NFC. */
  exactSelectionDigest: string;
  form: ReportForm;
  locale: ReportLocale;
}

/** The result of a report job, as its row stores it. */
export interface RenderingRef {
  rendering_id: string;
}

/** The values of the columns of `report_renderings_key`, in its order. */
export function keyValues(key: RenderingKey): unknown[] {
  const { tenantId, selectionDigest, form, locale } = key;
  return [tenantId, bytesOfDigest(selectionDigest), rendererVersionColumn(key), form, locale];
}

/**
 * The value of the column `renderer_version`. It also has the exact digest of a selection that is not in NFC, because the key has no
 * column for it, and two such selections can have one `selection_digest`.
 */
function rendererVersionColumn({ form, selectionDigest, exactSelectionDigest }: RenderingKey): string {
  const { renderer_version } = renderers[form];
  if (exactSelectionDigest === selectionDigest) return renderer_version;
  return `${renderer_version} ${exactSelectionDigest}`;
}
