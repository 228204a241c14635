import { textOfJson } from '@continuity/kernel/json';
import { estimateTokens } from '@continuity/kernel/text';

/** Estimates the tokens of a Source from its canonical JSON (spec 20 P13). */
export function sourceTokens(canonical: string): number {
  return estimateTokens(textOfJson(canonical));
}
