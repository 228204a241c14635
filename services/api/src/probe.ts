/** State of one dependency in readiness (spec 10 §2). */
export type Check = 'ready' | 'not_ready' | 'unavailable' | 'timeout' | 'misconfigured';

/** Time limit of one probe (spec 10 §2.3). */
export const probeMs = 2_000;
