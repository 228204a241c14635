import type { ExperienceContent } from '@continuity/contract/experience';
import type { ExperienceGenerator } from '@continuity/shared/generation';
import type { Bundle } from '../generation-set/bundles.ts';

/** Shares from 0 to 1 over a set of bundles. */
interface GenerationQuality {
  /** Bundles that got a proposal where one is due, and none where none is. */
  decided: number;
  /** Words of the proposals that the evidence has. */
  grounded: number;
  /** Facts of the bundles that the proposals say. */
  complete: number;
  /** Lines that a field of a proposal says twice. */
  duplicates: number;
}

/** Generates an Experience of each bundle and compares it with its labels. */
export async function measureGeneration(
  generator: ExperienceGenerator,
  bundles: readonly Bundle[],
): Promise<GenerationQuality> {
  const { signal } = new AbortController();
  const answers: { bundle: Bundle; content: ExperienceContent | null }[] = [];
  for (const bundle of bundles) {
    const pieces = bundle.sources.map((text) => ({ kind: 'text' as const, text, isTruncated: false }));
    answers.push({ bundle, content: await generator.generate({ pieces, target: null, signal }) });
  }
  const made = answers.flatMap(({ bundle, content }) => (content === null ? [] : [{ bundle, content }]));
  const words = made.flatMap(({ bundle, content }) => {
    const known = new Set(wordsOf(bundle.sources.join(' ')));
    return wordsOf(textOf(content)).map((word) => known.has(word));
  });
  const facts = made.flatMap(({ bundle, content }) =>
    bundle.facts.map((fact) => textOf(content).toLowerCase().includes(fact.toLowerCase())),
  );
  const lines = made.flatMap(({ content }) => Object.values(content).flatMap(repeatedLines));
  return {
    decided: shareOf(
      answers.map(({ bundle, content }) => (content === null) === (bundle.facts.length === 0)),
    ),
    grounded: shareOf(words),
    complete: shareOf(facts),
    duplicates: shareOf(lines),
  };
}

function textOf(content: ExperienceContent): string {
  return Object.values(content).join('\n');
}

/** Words; the label that an Experience without a lesson gets is none of the evidence's. */
function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll('Observed: ', '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** For each line whether it repeats an earlier one. */
function repeatedLines(text: string): boolean[] {
  const lines = text.split('\n');
  return lines.map((line, index) => lines.indexOf(line) < index);
}

function shareOf(values: readonly boolean[]): number {
  return values.length === 0 ? 0 : values.filter(Boolean).length / values.length;
}
