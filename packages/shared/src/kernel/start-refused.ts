/** Thrown when something outside the process forbids its start. The message is one sentence that says what to do. */
export class StartRefusedError extends Error {
  override name = 'StartRefusedError';
}
