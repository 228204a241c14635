/** Longest wait for a locked counter row. */
const lockLimit = '2s';

/**
 * Two columns that make a statement a best-effort write. For counters whose loss is harmless, in a transaction of its own: the
 * commit does not wait for the disk, and the statement fails if a row stays locked for longer than two seconds.
 */
export const bestEffortWrite = `set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '${lockLimit}', true)`;
