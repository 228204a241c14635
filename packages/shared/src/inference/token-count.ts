/** Limit of a plausible token count. Sums of such counts stay exact in a JavaScript number. */
const maxTokens = 1_000_000_000;

/** Validates a reported token count. Returns null for a fraction, a negative number or any other value that is no count (spec 20 T6). */
export function toTokenCount(reported: unknown): number | null {
  const isFigure =
    typeof reported === 'number' && Number.isInteger(reported) && reported >= 0 && reported <= maxTokens;
  return isFigure ? reported : null;
}
