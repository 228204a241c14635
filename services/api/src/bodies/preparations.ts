import { connectorBodies } from '@continuity/shared/connectors/bodies';
import { sourceBodies } from '@continuity/shared/sources/bodies';

/** Conversions of validated bodies to the input of handlers, by operation. Other handlers get the validated body. */
export const bodyPreparations = { ...sourceBodies, ...connectorBodies };
