/** What readiness says of one dependency (spec 10 §2). */
export type Check = 'ready' | 'not_ready' | 'unavailable' | 'timeout' | 'misconfigured';

/** Longest that one probe may take (spec 10 §2.3). */
export const probeMs = 2_000;
