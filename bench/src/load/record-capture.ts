import type { TenantId } from '@continuity/kernel/database';
import { captureContent, prepareCapture } from '@continuity/shared/sources';
import { recordRoundTrips } from './record-statements.ts';
import type { Capture } from './requests.ts';
import type { RoundTrips } from './round-trips.ts';

/** Records the statements of one capture into a Scope that has Sources. */
export function recordCapture(
  tenantId: TenantId,
  { scopeId, sourceId, content }: Capture,
): Promise<RoundTrips> {
  const appended = {
    existing_position: null,
    existing_digest: null,
    is_equal: null,
    scope_key: 1,
    position: 1,
  };
  return recordRoundTrips(
    () => [appended],
    (database) => {
      const capture = prepareCapture({ scope_id: scopeId, source_id: sourceId, content });
      return captureContent(database, tenantId, capture, null);
    },
  );
}
