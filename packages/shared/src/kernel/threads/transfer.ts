/** The bytes of a message, not copied: a message carries a Buffer as a plain array of bytes. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The buffer of large bytes, to move into another thread. Small ones share theirs with others, so that they are copied. */
export function ownBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
