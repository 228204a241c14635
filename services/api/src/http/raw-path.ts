import { invalidRequest, textProblem } from '@continuity/shared/kernel';

/**
 * Routes are matched on the target as it was sent (spec 10 §1.6): the router decodes once before it matches, so an
 * escape is escaped again for it, and `%64efault` never matches `default`. What the router hands on is then the raw
 * segment.
 */
export function protectEscapes(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.replaceAll('%', '%25') + (query === -1 ? '' : url.slice(query));
}

/** Path parameters, each decoded exactly once. Throws 422 for a bad escape or invalid UTF-8. */
export function decodeParams(raw: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).map(([name, segment]) => [name, decodeSegment(name, segment)]),
  );
}

function decodeSegment(name: string, segment: string): string {
  const decoded = tryDecode(segment);
  const problem = decoded === undefined ? 'is not percent-encoded UTF-8' : textProblem(decoded);
  if (decoded === undefined || problem !== undefined)
    throw invalidRequest([{ path: name, message: problem ?? '' }]);
  return decoded;
}

function tryDecode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
