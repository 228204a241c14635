import type { Benchmark } from '../benchmark.ts';
import { capacity } from './capacity.ts';
import { webConsole } from './console.ts';
import { context } from './context.ts';
import { databaseServers } from './database-servers.ts';
import { embedder } from './embedder.ts';
import { externalSkills } from './external-skills.ts';
import { generation } from './generation.ts';
import { growth } from './growth.ts';
import { hooks } from './hooks.ts';
import { idle } from './idle.ts';
import { importSessions } from './import.ts';
import { jobs } from './jobs.ts';
import { mcp } from './mcp.ts';
import { overhead } from './overhead.ts';
import { packages } from './packages.ts';
import { prisma } from './prisma.ts';
import { remote } from './remote.ts';
import { reports } from './reports.ts';
import { requests } from './requests.ts';
import { review } from './review.ts';
import { scale } from './scale.ts';
import { sdk } from './sdk.ts';
import { search } from './search.ts';
import { size } from './size.ts';
import { start } from './start.ts';
import { stats } from './stats.ts';
import { telemetry } from './telemetry.ts';
import { walls } from './walls.ts';
import { writers } from './writers.ts';

/** All benchmarks, in the order of a full run. */
export const benchmarks: readonly Benchmark[] = [
  requests,
  growth,
  scale,
  search,
  embedder,
  generation,
  context,
  mcp,
  sdk,
  hooks,
  size,
  capacity,
  jobs,
  writers,
  importSessions,
  packages,
  externalSkills,
  prisma,
  review,
  webConsole,
  remote,
  overhead,
  telemetry,
  stats,
  reports,
  databaseServers,
  walls,
  start,
  idle,
];
