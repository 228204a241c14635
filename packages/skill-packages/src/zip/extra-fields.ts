export const zip64Field = 0x0001;
export const unicodePathField = 0x7075;

/** Finds an extra field of a record; undefined if it has none. A field that claims too many bytes is truncated. */
export function findExtraField(extra: Buffer, wanted: number): Buffer | undefined {
  let at = 0;
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, end);
    at = end;
  }
  return undefined;
}
