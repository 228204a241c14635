/** An error that counts as a database that cannot answer, by SQL and by Prisma: 503 `database_unavailable`. */
export function noConnection(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
