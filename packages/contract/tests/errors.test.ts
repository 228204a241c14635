import { describe, expect, test } from 'vitest';
import { errorCodes, errorRecords, exampleError, parseErrorBody } from '../src/index.ts';

describe.each(errorCodes)('the record of %s', (code) => {
  test('has an example that fits its details', () => {
    expect(parseErrorBody(exampleError(code))).toEqual(exampleError(code));
  });

  test('refuses details that it does not declare', () => {
    const { details, ...rest } = exampleError(code);
    expect(parseErrorBody({ ...rest, details: { ...Object(details), sql: 'SELECT 1' } })).toBeUndefined();
  });

  test('says in whole sentences what happened and what to do', () => {
    const { message, when, advice } = errorRecords[code];
    for (const text of [message, when, advice]) expect(text).toMatch(/^[`A-Z].*\.$/s);
  });

  test('has a status that allows a retry, if a retry can help', () => {
    if (errorRecords[code].retry !== undefined) expect([429, 503]).toContain(errorRecords[code].status);
  });
});

test.each([
  undefined,
  null,
  'job_timeout',
  { code: 'toString', message: 'Not a code.', details: {} },
  { code: 'a_code_of_a_later_release', message: 'New.', details: {} },
  { code: 'job_timeout', message: 'Without its job.', details: {} },
])('%j is no error of the contract', (value) => {
  expect(parseErrorBody(value)).toBeUndefined();
});
