import { z } from 'zod';
import { timeZoneNames } from './time-zones.ts';

const day =
  '(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|' +
  '\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))';
const offset = '(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';

/** RFC 3339 without leap seconds: an existing day, a time, and an offset. Groups: before the fraction, fraction, offset. */
const rfc3339 = new RegExp(`^(${day}[Tt](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d)(?:\\.(\\d+))?(${offset})$`);

/** Bounds of an instant in milliseconds: the years 1 to 9999, which the database can hold and a response can write. */
const firstMs = Date.parse('0001-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * `time` of a request (spec 30 §1): RFC 3339 with any offset, `t` and `z` included. The output is the instant as a response
 * writes it: UTC, cut off to milliseconds.
 */
export const requestTime = z
  .string()
  .regex(rfc3339, { error: 'must be an RFC 3339 time with an offset', abort: true })
  .refine((text) => isWithinYears(instantOf(text)), { error: 'must be in the years 1 to 9999' })
  .transform((text) => new Date(instantOf(text)).toISOString())
  .meta({ description: 'RFC 3339 with an offset. The service truncates it to milliseconds.' });

/** `zone`: a name of the IANA time zone database, spelled exactly as there. */
export const timeZone = z
  .enum(timeZoneNames, {
    error: 'must be the name of a zone in the IANA time zone database, such as Europe/Berlin',
  })
  .meta({ id: 'TimeZone', description: 'A zone or link of the IANA time zone database.' });

function instantOf(text: string): number {
  const [, dateTime = '', fraction = '', zone = ''] = rfc3339.exec(text) ?? [];
  return Date.parse(`${dateTime}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`.toUpperCase());
}

function isWithinYears(ms: number): boolean {
  return ms >= firstMs && ms <= lastMs;
}
