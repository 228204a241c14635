import type { Settings } from '@continuity/kernel/config';
import type { Metrics } from '@continuity/kernel/telemetry';
import { generationEndpoint } from '@continuity/shared/inference';
import {
  createBuiltinExtractor,
  createModelExtractor,
  type Extractor,
  type StatementFinder,
} from '@continuity/shared/memory';

interface Extractors {
  /** The extractor of flushes: the model if configured. */
  extractor: Extractor;
  /** The fallback for a Source that the model cannot process. */
  builtIn: Extractor;
}

/** The configured extractors. */
export function chooseExtractors(settings: Settings, metrics: Metrics, finder: StatementFinder): Extractors {
  const builtIn = createBuiltinExtractor(finder);
  const endpoint = generationEndpoint(settings, metrics, 'extraction');
  return { extractor: endpoint === undefined ? builtIn : createModelExtractor(endpoint), builtIn };
}
