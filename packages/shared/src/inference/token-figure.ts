/** No call uses more; what is said to is no figure. Sums of such figures stay exact in a JavaScript number. */
const mostTokens = 1_000_000_000;

/**
 * A count of tokens as an endpoint reported it; null for what is none, as a part of a token or less than nothing: that is not
 * reported, and does not keep the call itself from being counted (spec 20 T6).
 */
export function tokenFigure(reported: unknown): number | null {
  const isFigure =
    typeof reported === 'number' && Number.isInteger(reported) && reported >= 0 && reported <= mostTokens;
  return isFigure ? reported : null;
}
