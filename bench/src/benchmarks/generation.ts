import { loadSettings } from '@continuity/kernel/config';
import {
  createBuiltinExperienceGenerator,
  createModelExperienceGenerator,
  type ExperienceGenerator,
} from '@continuity/shared/generation';
import { generationAddress } from '@continuity/shared/inference';
import type { Benchmark, Finding } from '../benchmark.ts';
import { type LabeledSentence, splitSentences } from '../extraction-set/sentences.ts';
import { bundles } from '../generation-set/bundles.ts';
import { measureExtraction } from '../quality/extraction.ts';
import { measureGeneration } from '../quality/generation.ts';

export const generation: Benchmark = {
  name: 'generation',
  summary:
    'quality of generated Experiences on 20 labeled bundles of evidence, built-in and by the configured model, and of the built-in extraction on 200 labeled sentences',
  run: async ({ log }) => {
    const findings: Finding[] = [];
    for (const { name, generator, hasBars } of generators()) {
      log(`generation: ${name}`);
      const quality = await measureGeneration(generator, bundles);
      findings.push(
        ...Object.entries(quality).map(([measure, value]) => ({
          name: `${name}: ${measure}`,
          value,
          unit: '',
          ...(hasBars && { bar: bars[measure as keyof typeof quality] }),
        })),
      );
    }
    const { tuning, heldOut } = splitSentences();
    findings.push(...extractionFindings('tuned', tuning), ...extractionFindings('held out', heldOut));
    return { throughputs: [], findings };
  },
};

function extractionFindings(name: string, sentences: readonly LabeledSentence[]): Finding[] {
  return Object.entries(measureExtraction(sentences)).map(([measure, value]) => ({
    name: `extraction, ${name}: ${measure}`,
    value,
    unit: '',
    bar: { kind: 'at least', limit: measure === 'kinds' ? 0.8 : 0.85 },
  }));
}

/** Floors of the built-in generator. */
const bars = {
  decided: { kind: 'at least', limit: 1 },
  grounded: { kind: 'at least', limit: 1 },
  complete: { kind: 'at least', limit: 0.9 },
  duplicates: { kind: 'at most', limit: 0 },
} as const;

function generators(): { name: string; generator: ExperienceGenerator; hasBars: boolean }[] {
  const builtIn = { name: 'built-in', generator: createBuiltinExperienceGenerator(), hasBars: true };
  const settings = loadSettings(process.env);
  const address = generationAddress(settings);
  if (address === undefined) return [builtIn];
  const generator = createModelExperienceGenerator({
    ...address,
    timeoutMs: settings.INFERENCE_GENERATION_TIMEOUT_MS,
    maxRequests: settings.INFERENCE_GENERATION_MAX_REQUESTS,
  });
  return [builtIn, { name: address.model, generator, hasBars: false }];
}
