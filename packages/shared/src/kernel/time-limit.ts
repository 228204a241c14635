/** Work that did not end within its time. The work itself goes on, unheard. */
export class TimeLimitError extends Error {
  override name = 'TimeLimitError';
}

/** The outcome of `work`, or `TimeLimitError` after `milliseconds`. */
export async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
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
