import { generationEndpoint } from '@continuity/shared/inference';
import type { Metrics, Settings } from '@continuity/shared/kernel';
import { createBuiltinExtractor, createModelExtractor, type Extractor } from '@continuity/shared/memory';

export interface Extractors {
  /** What flushes use: the model where one is configured. */
  extractor: Extractor;
  /** What reads a Source that the model cannot. */
  builtIn: Extractor;
}

/** The extractors that the settings name. */
export function chooseExtractors(settings: Settings, metrics: Metrics): Extractors {
  const builtIn = createBuiltinExtractor();
  const endpoint = generationEndpoint(settings, metrics, 'extraction');
  return { extractor: endpoint === undefined ? builtIn : createModelExtractor(endpoint), builtIn };
}
