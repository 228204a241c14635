/** Limit of a plausible token count. Sums of such counts stay exact in a JavaScript number. */
const maxTokens = 1_000_000_000;

/** A reported token count; null for a value that is no count, such as a fraction or a negative number (spec 20 T6). */
export function tokenFigure(reported: unknown): number | null {
  const isFigure =
    typeof reported === 'number' && Number.isInteger(reported) && reported >= 0 && reported <= maxTokens;
  return isFigure ? reported : null;
}
