import type { ErrorCode } from './records.ts';

/** The answer to headers that no operation gets to see: `invalid_request` with a status of its own. */
export const headersTooLarge = {
  status: 431,
  code: 'invalid_request' satisfies ErrorCode,
  when: 'The request line and headers exceed 16 KiB.',
  advice: 'Send fewer or shorter headers.',
} as const;
