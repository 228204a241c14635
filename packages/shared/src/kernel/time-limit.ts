/** Thrown when work exceeds its time limit. The work itself continues, and its result is ignored. */
export class TimeLimitError extends Error {
  override name = 'TimeLimitError';
}

/** Settles like `work`, or rejects with `TimeLimitError` after `milliseconds`. */
export async function withTimeLimit<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimeLimitError(`No answer within ${milliseconds} ms.`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
