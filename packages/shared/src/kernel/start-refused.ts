/** A condition outside of the process in which it must not run. The message is one sentence that says what to do. */
export class StartRefusedError extends Error {
  override name = 'StartRefusedError';
}
