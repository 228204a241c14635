import { estimateTokens } from '@continuity/shared/kernel';

/** Estimated tokens of a Source, by its canonical JSON: a string counts as it is, anything else as that JSON (spec 20 P13). */
export function sourceTokens(canonical: string): number {
  return estimateTokens(canonical.startsWith('"') ? (JSON.parse(canonical) as string) : canonical);
}
