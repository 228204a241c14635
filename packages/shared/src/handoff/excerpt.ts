const whiteRuns = /[\p{White_Space}\uFEFF]+/gu;

/**
 * The text on one line: each run of white space becomes one space, and none is at the ends. A line of more than `length` code points
 * is truncated to as many, the ellipsis included.
 */
export function excerptOf(text: string, length: number): string {
  const points = [...text.replace(whiteRuns, ' ').trim()];
  return points.length <= length ? points.join('') : `${points.slice(0, length - 1).join('')}…`;
}
