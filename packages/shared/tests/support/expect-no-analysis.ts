import type { Database, TenantId } from '@continuity/kernel/database';
import { runInSlices } from '@continuity/kernel/fairness';
import { cpuTimeOf } from '@continuity/testing';
import { expect } from 'vitest';
import { projectTexts } from '../../src/search/index.ts';
import { measureTransactions } from './measure-transactions.ts';

/**
 * Expects the transactions of an operation to take less processor time than this share of an analysis of the texts. Each round runs
 * the operation anew.
 */
export async function expectNoAnalysis(
  database: Database,
  texts: readonly string[],
  share: number,
  run: (measured: Database, round: number) => Promise<unknown>,
): Promise<void> {
  const corpus = { tenantId: 1 as TenantId, scopeId: 'analyzed' };
  const spent: number[] = [];
  const analysis: number[] = [];
  // The minimum excludes code loading, and garbage collection, which takes as long as the analysis.
  for (let round = 0; round < 4; round += 1) {
    const { measured, spentMs } = measureTransactions(database);
    await run(measured, round);
    spent.push(spentMs());
    analysis.push(await cpuTimeOf(() => runInSlices(projectTexts(corpus, texts))));
  }
  expect(Math.min(...spent)).toBeLessThan(share * Math.min(...analysis));
}
