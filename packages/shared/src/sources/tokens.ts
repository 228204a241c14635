import { estimateTokens } from '@continuity/shared/kernel';

/** Estimates the tokens of a Source from its canonical JSON: of the text for a string, else of the JSON (spec 20 P13). */
export function sourceTokens(canonical: string): number {
  return estimateTokens(canonical.startsWith('"') ? (JSON.parse(canonical) as string) : canonical);
}
