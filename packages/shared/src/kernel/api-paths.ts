/**
 * A path of the API from raw segments: each is percent-encoded once, so that `%2F` is a slash inside an id (spec 10 §1.6).
 */
export function apiPath(...segments: string[]): string {
  return `/v1/${segments.map(encodeSegment).join('/')}`;
}

/** An id of one or two dots would be read as a folder. */
function encodeSegment(segment: string): string {
  const encoded = encodeURIComponent(segment);
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

/** A path below one Scope. */
export function scopePath(scopeId: string, ...segments: string[]): string {
  return apiPath('scopes', scopeId, ...segments);
}
