/** Longest wait for a locked counter row. */
const lockLimit = '2s';

/**
 * Two columns that make a statement a best-effort write: the commit does not wait for the disk, and the statement fails if a row
 * stays locked for over two seconds. Use it for counters whose loss is harmless, in a separate transaction.
 */
export const bestEffortWrite = `set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '${lockLimit}', true)`;
