import { parseArgs } from 'node:util';
import { type Bench, type Benchmark, meetsBar, type Outcome } from './benchmark.ts';
import { benchmarks } from './benchmarks/index.ts';
import { describeMachine } from './report/machine.ts';
import { findingTable, formatTable, throughputTable } from './report/table.ts';
import { ownServers } from './servers/servers.ts';
import { shareServers } from './servers/shared-servers.ts';
import { openStores } from './servers/stores.ts';

const usage = `npm run bench -- [name …] [--quick | --large]

${benchmarks.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join('\n')}

Without a name, all benchmarks run. --quick is a smoke test with small data and meaningless numbers. --large measures growth and
scale up to 1,000,000 entries.
`;

/** Runs the named benchmarks. Returns the exit code: 1 if a bar was missed, 2 for wrong arguments. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((wanted) => !benchmarks.some(({ name }) => name === wanted));
  const isContradictory = values.quick && values.large;
  if (values.help || unknown.length > 0 || isContradictory) {
    process.stderr.write(usage);
    return values.help ? 0 : 2;
  }
  const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const outcome = await runAll(chosen, values);
  return values.quick || outcome.findings.every(meetsBar) ? 0 : 1;
}

async function runAll(
  chosen: readonly Benchmark[],
  { quick: isQuick, large: isLarge }: { quick: boolean; large: boolean },
): Promise<Outcome> {
  const stores = await openStores();
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const shared = shareServers(stores);
  const bench: Bench = { stores, servers: isQuick ? shared : ownServers(stores), isQuick, isLarge, log };
  const all: Required<Outcome> = { throughputs: [], findings: [], tables: [] };
  try {
    process.stdout.write(`${await describeMachine(stores.adminUrl, stores.origin)}\n`);
    for (const { name, run } of chosen) {
      const startedAt = performance.now();
      const { throughputs, findings, tables = [] } = await run(bench);
      all.throughputs.push(...throughputs);
      all.findings.push(...findings);
      all.tables.push(...tables);
      log(`${name}: done in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    }
  } finally {
    await shared.close().finally(() => stores.close());
  }
  if (all.throughputs.length > 0) process.stdout.write(`\n${throughputTable(all.throughputs)}\n`);
  for (const { head, rows, right } of all.tables)
    process.stdout.write(`\n${formatTable(head, rows, new Set(right))}\n`);
  if (all.findings.length > 0) process.stdout.write(`\n${findingTable(all.findings)}\n`);
  return all;
}

process.exit(await main());
