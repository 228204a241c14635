import { invalidRequest } from '@continuity/kernel/errors';
import { findTextProblem } from '@continuity/kernel/json';

/** The raw path of a request target, without the query and the origin of an absolute target (RFC 9112 §3.2.2). */
export function rawPath(target: string): string {
  return (target.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '');
}

/**
 * Makes the router match the raw target (spec 10 §1.6). The router decodes once before it matches, so this escapes each
 * escape again, and `%64efault` never matches `default`. Its parameters are then the raw segments. Escapes `#` too, where the
 * router would truncate the target.
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
  const problem = decoded === undefined ? 'is not percent-encoded UTF-8' : findTextProblem(decoded);
  if (decoded === undefined || problem !== undefined)
    throw invalidRequest([{ path: name, message: problem ?? '' }]);
  return decoded;
}

/** A segment of a path, decoded once; undefined if it is not percent-encoded UTF-8. */
export function tryDecode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
