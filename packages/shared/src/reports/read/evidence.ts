import type { HandoffEvidenceCheck } from '@continuity/contract/handoff';
import type { Sql, TenantId } from '@continuity/kernel/database';
import { findEvidenceOf } from '../../evidence/index.ts';
import { checkStatements, directCitations } from '../../handoff/index.ts';
import type { ReadHandoff } from './contents.ts';

/** Limit of the Citations of one round of look-ups, so that a check ends soon after the time limit. */
const maxCitationsOfRound = 5_000;

/** Checks the evidence of a report within a limit of time. */
export class EvidenceChecker {
  readonly #sql: Sql;
  readonly #tenantId: TenantId;
  #budgetMs: number;

  /** `budgetMs` is the time that all checks together may take. 0: no check is made. */
  constructor(sql: Sql, tenantId: TenantId, budgetMs: number) {
    this.#sql = sql;
    this.#tenantId = tenantId;
    this.#budgetMs = budgetMs;
  }

  /** Checks Handoffs, and returns the checks by `scope_id`. Handoffs that the time limit left unchecked are missing. */
  async check(handoffs: Map<string, ReadHandoff>): Promise<Map<string, HandoffEvidenceCheck[]>> {
    const checks = new Map<string, HandoffEvidenceCheck[]>();
    for (const round of roundsOf([...handoffs])) {
      if (this.#budgetMs <= 0) break;
      const begun = performance.now();
      const found = await findEvidenceOf(
        this.#sql,
        this.#tenantId,
        round.map(([, { content, evidenceScopeId }]) => ({
          scopeId: evidenceScopeId,
          citations: directCitations(content),
        })),
      );
      this.#budgetMs -= performance.now() - begun;
      round.forEach(([scopeId, { content }], index) => {
        const evidence = found[index];
        if (evidence !== undefined) checks.set(scopeId, checkStatements(content, evidence));
      });
    }
    return checks;
  }
}

/** The Handoffs in rounds of a bounded number of Citations. Those of one Handoff stay together. */
function roundsOf(handoffs: [string, ReadHandoff][]): [string, ReadHandoff][][] {
  const rounds: [string, ReadHandoff][][] = [];
  let room = 0;
  for (const handoff of handoffs) {
    const citations = directCitations(handoff[1].content).length;
    if (room < citations || rounds.length === 0) {
      rounds.push([]);
      room = maxCitationsOfRound;
    }
    rounds.at(-1)?.push(handoff);
    room -= citations;
  }
  return rounds;
}
