import { z } from 'zod';
import { candidateFamilies } from '../families/catalog.ts';
import { int, scopeId, scopeSelection, str, time, token } from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import { usePurposes } from '../usage/index.ts';
import { exampleRequest, exampleStats } from './examples.ts';

/** Limit of the Scopes that an answer lists, and of the kinds of entries in one inventory (spec 20 T4, T8). */
export const maxListed = 1000;

const count = int(0);
const date = z.iso.date().meta({ description: 'A UTC date, `YYYY-MM-DD`.' });

const presets = ['today', '7d', '30d'] as const;
export const preset = z.enum(presets);

const candidateCounts = { total: count, pending: count, approved: count, rejected: count };
const entryCounts = { total: count, active: count, inactive: count };

const inventory = z
  .strictObject({
    sources: z.strictObject({ total: count, memory_processed: count, memory_pending: count }),
    artifacts: z.strictObject({
      total: count,
      by_family: z.array(z.strictObject({ family: token(1, 128), total: count })),
    }),
    candidates: z.strictObject({
      ...candidateCounts,
      by_family: z.array(z.strictObject({ family: z.enum(candidateFamilies), ...candidateCounts })),
    }),
    memory: z.strictObject({
      entries: z.strictObject({
        ...entryCounts,
        by_kind: z.array(z.strictObject({ kind: str(1, 128), ...entryCounts })).max(maxListed),
      }),
    }),
  })
  .meta({
    id: 'Inventory',
    description: 'Current contents: Sources, heads of Artifacts, Candidates, Memory entries.',
  });

const period = z
  .strictObject({ preset, start_date: date, end_date: date, timezone: z.literal('UTC') })
  .meta({ id: 'StatsPeriod' });

const tokens = count.nullable().meta({ description: 'Null if one of the calls did not report this figure.' });

const modelUse = z
  .strictObject({ requests: count, input_tokens: tokens, output_tokens: tokens })
  .meta({ id: 'ModelUse', description: 'Successful model calls.' });

const useByOperation = { generation: modelUse, embedding: modelUse };

const purposeUse = z
  .strictObject({ purpose: z.enum(usePurposes), ...useByOperation })
  .meta({ id: 'PurposeUse' });

const byPurpose = z.array(purposeUse).max(16);

const usage = z
  .strictObject({
    period,
    totals: z.strictObject(useByOperation),
    by_purpose: byPurpose,
    daily: z
      .array(z.strictObject({ date, ...useByOperation, by_purpose: byPurpose }))
      .min(1)
      .max(30),
  })
  .meta({ id: 'Usage', description: 'Successful model calls in a period, by purpose and by day.' });

const recallCounts = {
  preparations: count,
  ready_preparations: count,
  comparable_preparations: count,
  baseline_tokens: count,
  recalled_tokens: count,
  token_reduction: z
    .int()
    .meta({ description: '`baseline_tokens` minus `recalled_tokens`; may be negative.' }),
};

const recall = z
  .strictObject({
    period,
    estimator: z.strictObject({ estimator_id: str(1, 128), version: str(1, 64) }).nullable(),
    totals: z.strictObject(recallCounts),
    daily: z
      .array(z.strictObject({ date, ...recallCounts }))
      .min(1)
      .max(30),
  })
  .meta({
    id: 'Recall',
    description: 'Context preparations in a period and the tokens that they saved, by day.',
  });

const sections = { inventory, usage, recall };

const scopeStats = z.strictObject({ scope_id: scopeId, ...sections }).meta({ id: 'ScopeStats' });

export const scopedStats = z
  .strictObject({
    selection: scopeSelection,
    scope_ids: z.array(scopeId),
    as_of: time,
    ...sections,
    by_scope: z.array(scopeStats).max(maxListed),
  })
  .meta({ id: 'ScopedStats' });

export type Preset = (typeof presets)[number];
export type Inventory = z.infer<typeof inventory>;
export type PeriodShape = z.infer<typeof period>;
export type ModelUse = z.infer<typeof modelUse>;
export type Usage = z.infer<typeof usage>;
export type Recall = z.infer<typeof recall>;
export type ScopedStats = z.infer<typeof scopedStats>;

const getStatsRequest = z.strictObject({
  selection: scopeSelection,
  period: preset.default('30d'),
  by_scope: z
    .boolean()
    .default(true)
    .meta({ description: 'With false, `scope_ids` and `by_scope` of the answer are empty.' }),
});

export type GetStatsRequest = z.infer<typeof getStatsRequest>;

const getStats = defineOperation({
  id: 'get_stats',
  method: 'POST',
  path: '/v1/stats',
  tag: 'stats',
  summary: 'Count the contents and the usage of Scopes',
  description:
    'Reads everything on one snapshot, taken at `as_of`. Inventory shows the current contents; usage and recall cover the ' +
    'period, with one row for each UTC day up to today. The top level adds up every Scope of the selection; `by_scope` ' +
    'lists the first 1000 of `scope_ids`. Caches must not store any answer of this path.',
  auth: 'bearer',
  bodyLimit: 4 * MiB,
  body: getStatsRequest,
  status: 200,
  response: scopedStats,
  responseHeaders: { 'Cache-Control': '`no-store`, on errors too.' },
  noStore: true,
  errors: ['scope_not_found'],
  run: 'direct',
  examples: [{ summary: 'One Scope today', body: exampleRequest, response: exampleStats }],
});

export const statsOperations = { get_stats: getStats };
