/** Returns a Buffer over the same memory, for the plain `Uint8Array` of a thread message or of Prisma. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
