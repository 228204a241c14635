/** UTF-8 bytes of a code point in a string of `jsonLine`. */
export function escapedBytes(codePoint: number): number {
  if (codePoint < 0x20) return hasShortForm(codePoint) ? 2 : 6;
  if (codePoint === quote || codePoint === backslash) return 2;
  if (isMisleading(codePoint)) return 6;
  return utf8Bytes(codePoint);
}

/** UTF-8 bytes of a code point. */
export function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

const quote = 0x22;
const backslash = 0x5c;

/** `\b`, `\t`, `\n`, `\f` and `\r`. */
function hasShortForm(codePoint: number): boolean {
  return (codePoint >= 0x08 && codePoint <= 0x0a) || codePoint === 0x0c || codePoint === 0x0d;
}

function isMisleading(codePoint: number): boolean {
  return (
    (codePoint >= 0x7f && codePoint <= 0x9f) ||
    (codePoint >= 0x2028 && codePoint <= 0x202e) ||
    (codePoint >= 0x2066 && codePoint <= 0x2069)
  );
}
