/** The buffer of large bytes, to move into another thread. Small ones share theirs with others, so that they are copied. */
export function ownBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
