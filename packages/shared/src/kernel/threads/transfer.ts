/**
 * Lists the buffer of `bytes` for the transfer to another thread. Returns an empty list if other values share the buffer, as Node
 * pools small ones: the bytes are then copied.
 */
export function transferableBuffers({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
