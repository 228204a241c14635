import { prepareCheckpoint } from './checkpoint.ts';
import { prepareManifest } from './manifest.ts';
import { prepareObservation } from './observation.ts';

export { projectionId } from '../definition.ts';
// Imports small files of the kernel one by one: the threads that read large bodies load this index.
export type { PreparedCheckpoint } from './checkpoint.ts';
export type { PreparedManifest } from './manifest.ts';
export { isReserved } from './manifest.ts';
export type { PreparedObservation } from './observation.ts';

/** Preparations of the bodies of connectors, by operation. */
export const connectorBodies = {
  commit_connector_checkpoint: prepareCheckpoint,
  register_source_definition: prepareManifest,
  submit_source_observation: prepareObservation,
};
