import type { Settings } from '@continuity/kernel/config';
import type { Metrics } from '@continuity/kernel/telemetry';
import {
  createBuiltinHandoffGenerator,
  createModelHandoffGenerator,
  type HandoffGenerator,
} from '@continuity/shared/handoff/generation';
import { generationEndpoint } from '@continuity/shared/inference';
import type { StatementFinder } from '@continuity/shared/memory';

/** The model if configured, else the built-in rules. */
export function chooseHandoffGenerator(
  settings: Settings,
  metrics: Metrics,
  finder: StatementFinder,
): HandoffGenerator {
  const endpoint = generationEndpoint(settings, metrics, 'handoff');
  return endpoint === undefined
    ? createBuiltinHandoffGenerator(finder)
    : createModelHandoffGenerator(endpoint);
}
