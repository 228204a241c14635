// General purpose bits of a ZIP header.
const encrypted = 1 << 0;
const patched = 1 << 5;
const stronglyEncrypted = 1 << 6;
const maskedHeader = 1 << 13;

/** Whether a flag says that the entry is encrypted. */
export function isEncrypted(flags: number): boolean {
  return (flags & (encrypted | stronglyEncrypted | maskedHeader)) !== 0;
}

/** Whether the entry is a patch of other data. */
export function isPatched(flags: number): boolean {
  return (flags & patched) !== 0;
}
