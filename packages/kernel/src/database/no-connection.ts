/** An error that counts as a database that cannot answer, by SQL and by Prisma: 503 `database_unavailable`. */
export function noConnection(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

const readOnlyErrors = new WeakSet<object>();

/** The same for a server that answers and refuses writes: a standby, or one whose transactions are read-only. */
export function readOnlyServer(): Error {
  const error = noConnection(
    'The database server is read-only: it is a standby, or its transactions are read-only.',
  );
  readOnlyErrors.add(error);
  return error;
}

/** Whether an error is of a server that refuses writes, also if another error wraps it. */
export function isReadOnlyServer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return readOnlyErrors.has(error) || isReadOnlyServer(error.cause);
}
