import { z } from 'zod';
import { scopeSelection } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleRequest, exampleStats } from './examples.ts';
import { preset, scopedStats } from './shapes.ts';

const getStatsRequest = z.strictObject({ selection: scopeSelection, period: preset.default('30d') });

export type GetStatsRequest = z.infer<typeof getStatsRequest>;

const getStats = defineOperation({
  id: 'get_stats',
  method: 'POST',
  path: '/v1/stats',
  tag: 'stats',
  summary: 'Count what Scopes hold and use',
  description:
    'All of one moment, `as_of`. Inventory is what is there now; usage and recall cover the period, a row for each UTC day ' +
    'up to today. The top level adds up every Scope of the selection; `by_scope` has the first 1000 of `scope_ids`. No ' +
    'answer of this path may be stored by a cache.',
  auth: 'bearer',
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
