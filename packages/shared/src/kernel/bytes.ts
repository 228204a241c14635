/** A Buffer over bytes that a message or Prisma gives as a plain `Uint8Array`. Copies nothing. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
