import type { Benchmark } from './benchmark.ts';
import { requests } from './benchmarks/requests.ts';

/** Every benchmark, in the order in which a whole run takes them. */
export const benchmarks: readonly Benchmark[] = [requests];
