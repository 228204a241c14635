import {
  createBuiltinHandoffGenerator,
  createModelHandoffGenerator,
  type HandoffGenerator,
} from '@continuity/shared/handoff/generation';
import { generationEndpoint } from '@continuity/shared/inference';
import type { Metrics, Settings } from '@continuity/shared/kernel';
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
