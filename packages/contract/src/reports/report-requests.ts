import { z } from 'zod';
import { scopeId, scopeSelection, time } from '../notation/shapes.ts';
import { requestTime, timeZone } from '../notation/times.ts';
import { catalogId, reportLocale } from './catalog-shapes.ts';

export const reportPeriod = z
  .strictObject({
    start: requestTime,
    end: requestTime,
    timezone: timeZone.nullable().default(null),
    compare_to_previous_period: z.boolean().default(false),
  })
  .meta({ id: 'ReportPeriod', description: 'From `start` up to, but not including, `end`.' });

/** The fields of a report request that select what the report holds. */
const selectionFields = {
  selection: scopeSelection.nullable().default(null),
  project_id: catalogId.nullable().default(null),
  locale: reportLocale.nullable().default(null),
  include_evidence_checks: z.boolean().default(true),
  include_archived: z.boolean().default(false),
  period: reportPeriod.nullable().default(null),
};

const reportFormat = z.enum(['json', 'markdown']);

export const reportRequest = z.strictObject({
  ...selectionFields,
  format: reportFormat.default('json'),
  download: z.boolean().default(false),
});

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** The parameters of `view_handoff_report`: the fields of a report request in another spelling. */
export const reportQuery = z.object({
  project_id: catalogId.optional(),
  scope_id: scopeId.optional().meta({ description: 'Selects this one Scope.' }),
  root_scope_id: scopeId.optional().meta({ description: 'Selects this Scope and its descendants.' }),
  locale: reportLocale.optional(),
  include_archived: flag.optional(),
  include_evidence_checks: flag.optional(),
  download: flag.optional().meta({ description: '`true` makes a browser save the page.' }),
  period_start: requestTime.optional(),
  period_end: requestTime.optional(),
  timezone: timeZone.optional(),
  compare_to_previous_period: flag.optional(),
});

/** Fields of the payload of a report job, all filled in. */
const jobFields = {
  ...selectionFields,
  period: z
    .object({
      start: time,
      end: time,
      timezone: z.string().nullable(),
      compare_to_previous_period: z.boolean(),
    })
    .nullable(),
};

/** Payloads of the report jobs. Whether an answer is downloaded changes nothing in it. */
export const reportJobPayload = z.object({ ...jobFields, format: reportFormat });
export const pageJobPayload = z.object(jobFields);

export type ReportRequest = z.output<typeof reportRequest>;
export type ReportQuery = z.output<typeof reportQuery>;
export type PageJobPayload = z.output<typeof pageJobPayload>;
