// Loaded by the threads that read large bodies.
export { projectCapturedSource, type WorkProjection } from '../projection.ts';
