import {
  createBuiltinHandoffGenerator,
  createModelHandoffGenerator,
  type HandoffGenerator,
} from '@continuity/shared/handoff/generation';
import type { Metrics, Settings } from '@continuity/shared/kernel';
import { modelEndpoint } from './model-endpoint.ts';

/** The model where one is configured, else the built-in rules. */
export function chooseHandoffGenerator(settings: Settings, metrics: Metrics): HandoffGenerator {
  const endpoint = modelEndpoint(settings, metrics, 'handoff');
  return endpoint === undefined ? createBuiltinHandoffGenerator() : createModelHandoffGenerator(endpoint);
}
