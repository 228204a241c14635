import { setImmediate } from 'node:timers/promises';
import { InferenceError } from '../../../inference/index.ts';
import { mergeProposals } from '../merge-proposals.ts';
import type { ExtractionInput, Extractor, Proposal } from '../port.ts';
import type { StatementFinder } from './statement-finder.ts';

/**
 * Creates the extractor `rules.v1` (spec 20 X1 to X5). It uses no model and no network, and proposes adds only. Deterministic: the
 * same Sources give the same proposals in the same order on every host.
 */
export function createBuiltinExtractor(finder: StatementFinder): Extractor {
  return {
    id: 'rules.v1',
    needsKnownEntries: false,
    extract: (input) => extractWindow(finder, input),
  };
}

async function extractWindow(
  finder: StatementFinder,
  { tenantId, profile, sources, signal }: ExtractionInput,
): Promise<Proposal[]> {
  const proposals: Proposal[] = [];
  for (const { ref, json, record = null } of sources) {
    // The finder reads short Sources at once, so yield to the event loop.
    await setImmediate();
    if (signal.aborted) throw new InferenceError('timeout', 'The extraction was aborted.');
    const { statements } = await finder.find(tenantId, { json, record }, profile);
    for (const statement of statements) proposals.push({ op: 'add', ...statement, evidence: [ref] });
  }
  return mergeProposals(proposals);
}
