import { type Command, Option } from 'commander';
import type { RequestOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';

interface StatsOptions {
  period?: NonNullable<RequestOf<'get_stats'>['period']>;
  all?: boolean;
}

export function addStatsCommand(program: Command): void {
  withContext<StatsOptions>(
    program
      .command('stats')
      .description('count what the Scope holds, and the model calls of a period')
      .addOption(new Option('--period <period>', 'period of the calls').choices(['today', '7d', '30d']))
      .option('--all', 'of all Scopes'),
    stats,
  );
}

async function stats({ client, output, scope }: Context, _args: string[], { period, all }: StatsOptions) {
  const answer = await client.getStats({
    selection: all === true ? { mode: 'all' } : { mode: 'exact', scope_ids: [scope()] },
    ...(period !== undefined && { period }),
  });
  if (output.isJson) return output.json(answer);
  const { sources, artifacts, candidates, memory } = answer.inventory;
  const { period: range, totals } = answer.usage;
  const rows: [string, number][] = [
    ['Scopes', answer.scope_ids.length],
    ['Sources', sources.total],
    ['Sources not yet read', sources.memory_pending],
    ['active entries', memory.entries.active],
    ['retired entries', memory.entries.inactive],
    ...memory.entries.by_kind.map(({ kind, active }): [string, number] => [
      `active entries: ${kind}`,
      active,
    ]),
    ...artifacts.by_family.map(({ family, total }): [string, number] => [`Artifacts: ${family}`, total]),
    ['pending Candidates', candidates.pending],
    [`generation calls since ${range.start_date}`, totals.generation.requests],
    [`embedding calls since ${range.start_date}`, totals.embedding.requests],
  ];
  output.table(
    ['WHAT', 'COUNT'],
    rows.map(([name, count]) => [name, String(count)]),
  );
}
