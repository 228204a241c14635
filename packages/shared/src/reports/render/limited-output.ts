/** The body is over the limit. `bytes` counts what was written of it: more than the limit, at most the whole body. */
export class OutputTooLargeError extends Error {
  override name = 'OutputTooLargeError';
  readonly bytes: number;

  constructor(bytes: number) {
    super(`The report has ${bytes} bytes or more.`);
    this.bytes = bytes;
  }
}

/** Collects the parts of a body in UTF-8 and counts their bytes. */
export class LimitedOutput {
  readonly #limit: number;
  #bytes = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a part and returns its bytes. Throws `OutputTooLargeError` once all parts together are over the limit. */
  add(text: string): Buffer {
    const part = Buffer.from(text, 'utf8');
    this.#bytes += part.length;
    if (this.#bytes > this.#limit) throw new OutputTooLargeError(this.#bytes);
    return part;
  }
}
