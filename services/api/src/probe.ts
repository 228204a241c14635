/** State of one dependency in readiness (spec 10 §2). */
export type Check = 'ready' | 'not_ready' | 'unavailable' | 'timeout' | 'misconfigured';

/** Time limit of the probe of a model (spec 10 §2.2.3). */
export const probeMs = 2_000;

/** Time limit of the probe of a store, so that readiness answers within 2 s while a store hangs. */
export const storeProbeMs = 1_500;
