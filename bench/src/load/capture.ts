import { captureContent } from '@continuity/shared/sources';
import { recordTrips } from './record.ts';
import type { Capture } from './requests.ts';
import type { Trips } from './transaction.ts';

/** What the service sends for one capture into a Scope that has Sources. */
export function recordCapture(tenantId: number, { scopeId, sourceId, content }: Capture): Promise<Trips> {
  const appended = {
    existing_position: null,
    existing_digest: null,
    is_equal: null,
    scope_key: 1,
    position: 1,
  };
  return recordTrips(
    () => [appended],
    (database) =>
      captureContent(database, { tenantId, scopeId, sourceId, content, metadata: undefined }, null),
  );
}
