import { expect, test } from 'vitest';
import { periodUntil } from '../../src/stats/period.ts';

test('spec 20 T5: the period ends with the UTC date of the moment, across months and leap days', () => {
  expect(periodUntil(new Date('2028-03-01T00:00:00.000Z'), '7d')).toMatchObject({
    shape: { preset: '7d', start_date: '2028-02-24', end_date: '2028-03-01', timezone: 'UTC' },
    dates: ['2028-02-24', '2028-02-25', '2028-02-26', '2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01'],
  });
  const last = periodUntil(new Date('2026-12-31T23:59:59.999Z'), '30d');
  expect([last.dates.length, last.dates[0], last.dates.at(-1)]).toEqual([30, '2026-12-02', '2026-12-31']);
  expect(periodUntil(new Date('2026-12-31T23:59:59.999Z'), 'today').dates).toEqual(['2026-12-31']);
});
