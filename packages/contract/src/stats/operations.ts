import { z } from 'zod';
import { scopeSelection } from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import { exampleRequest, exampleStats } from './examples.ts';
import { preset, scopedStats } from './shapes.ts';

const getStatsRequest = z.strictObject({ selection: scopeSelection, period: preset.default('30d') });

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
