import { maxExcerpt } from '@continuity/contract/reports';
import { trimWhite } from '@continuity/contract/text';

const whiteRuns = /[\p{White_Space}\uFEFF]+/gu;

/** A text on one line, cut to 239 code points and `…` if it is longer than 240 (spec 30 §4.3.3). */
export function excerptOf(text: string): string {
  const line = trimWhite(text.replace(whiteRuns, ' '));
  // Two UTF-16 units are at most one code point more than needed to decide.
  const points = [...line.slice(0, 2 * (maxExcerpt + 1))];
  return points.length <= maxExcerpt ? line : `${points.slice(0, maxExcerpt - 1).join('')}…`;
}
