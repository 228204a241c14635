import type { Benchmark } from './benchmark.ts';
import { context } from './benchmarks/context.ts';
import { growth } from './benchmarks/growth.ts';
import { jobs } from './benchmarks/jobs.ts';
import { overhead } from './benchmarks/overhead.ts';
import { requests } from './benchmarks/requests.ts';
import { scale } from './benchmarks/scale.ts';
import { search } from './benchmarks/search.ts';
import { size } from './benchmarks/size.ts';
import { start } from './benchmarks/start.ts';
import { stats } from './benchmarks/stats.ts';
import { writers } from './benchmarks/writers.ts';

/** Every benchmark, in the order in which a whole run takes them. */
export const benchmarks: readonly Benchmark[] = [
  requests,
  growth,
  scale,
  search,
  context,
  size,
  jobs,
  writers,
  overhead,
  stats,
  start,
];
