import { invalidRequest, textProblem } from '@continuity/shared/kernel';

/** The path of a request target as it was sent: without the query, and without the origin of an absolute target (RFC 9112 §3.2.2). */
export function rawPath(target: string): string {
  return (target.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '');
}

/**
 * Routes are matched on the target as it was sent (spec 10 §1.6): the router decodes once before it matches, so an
 * escape is escaped again for it, and `%64efault` never matches `default`. What the router hands on is then the raw
 * segment. It would cut at a `#`, which means nothing in a target.
 */
export function protectEscapes(target: string): string {
  const query = target.indexOf('?');
  const path = rawPath(target).replaceAll('%', '%25').replaceAll('#', '%2523');
  return path + (query === -1 ? '' : target.slice(query));
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
