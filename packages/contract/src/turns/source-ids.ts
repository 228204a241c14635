/** Longest id of a Source, and what a longer one keeps of its beginning, in characters (spec 70 §2.1). */
const maxIdCharacters = 256;
const keptCharacters = 191;

/** Most ids that a text under a used id tries: the id itself, then `~2` to `~99` (spec 70 §2.2). */
export const maxIdVersions = 99;

/**
 * The id of a Source: `base` and `suffix`. If both are too long, `base` becomes its beginning, `/` and the SHA-256 of the whole of it,
 * so that the id still ends with the suffix.
 */
export async function boundedId(base: string, suffix = ''): Promise<string> {
  const characters = [...base];
  if (characters.length + suffix.length <= maxIdCharacters) return base + suffix;
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(base));
  const hex = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${characters.slice(0, keptCharacters - suffix.length).join('')}/${hex}${suffix}`;
}

/** The id of the `number`th Source that is stored under one id: the id itself, then `<id>~2`, `<id>~3`. */
export async function versionedId(id: string, number: number): Promise<string> {
  return boundedId(id, number === 1 ? '' : `~${number}`);
}
