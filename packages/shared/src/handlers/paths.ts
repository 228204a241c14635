/** Builds a path of the API; percent-encodes each segment once, so a slash in an id becomes `%2F` (spec 10 §1.6). */
function apiPath(...segments: string[]): string {
  return `/v1/${segments.map(encodeSegment).join('/')}`;
}

/** URL parsers would resolve a segment of one or two dots as a relative folder. */
function encodeSegment(segment: string): string {
  const encoded = encodeURIComponent(segment);
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

/** Builds a path below one Scope. */
export function scopePath(scopeId: string, ...segments: string[]): string {
  return apiPath('scopes', scopeId, ...segments);
}
