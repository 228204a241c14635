/**
 * Writes a parsed JSON value in the canonical form of RFC 8785: no blanks, and the keys of each object in the order of their UTF-16 units.
 * `JSON.stringify` writes strings and numbers as the RFC demands. The library of the service needs a newer Node than this client.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
