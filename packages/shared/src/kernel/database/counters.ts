/** A counter that waits longer than this for its row is given up: an answer is worth more. */
const lockLimit = '2s';

/**
 * Two columns for a statement that adds to counters which nothing depends on, in a transaction of its own: a lost one is no
 * harm, so that nobody waits for the disk, and a row that is locked for long is given up.
 */
export const forgivingWrite = `set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '${lockLimit}', true)`;
