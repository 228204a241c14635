import { setImmediate } from 'node:timers/promises';
import { InferenceError } from '../../../inference/index.ts';
import { mergeProposals } from '../merge-proposals.ts';
import type {
  Extraction,
  ExtractionInput,
  Extractor,
  LeftOutCounts,
  Proposal,
  SourceLeftOut,
} from '../port.ts';
import type { StatementFinder } from './statement-finder.ts';

/**
 * Creates the extractor `rules.v2` (spec 20 X1 to X5). It uses no model and no network, and proposes adds only. Deterministic: the
 * same Sources give the same proposals in the same order on every host.
 */
export function createBuiltinExtractor(finder: StatementFinder): Extractor {
  return {
    id: 'rules.v2',
    needsKnownEntries: false,
    extract: (input) => extractWindow(finder, input),
  };
}

async function extractWindow(
  finder: StatementFinder,
  { tenantId, profile, sources, signal }: ExtractionInput,
): Promise<Extraction> {
  const proposals: Proposal[] = [];
  const leftOut: SourceLeftOut[] = [];
  for (const { ref, position, json, record = null } of sources) {
    // The finder reads short Sources at once, so yield to the event loop.
    await setImmediate();
    if (signal.aborted) throw new InferenceError('timeout', 'The extraction was aborted.');
    const found = await finder.find(tenantId, { json, record }, profile);
    leftOut.push(...toList(position, found.leftOut));
    for (const statement of found.statements) proposals.push({ op: 'add', ...statement, evidence: [ref] });
  }
  return { proposals: mergeProposals(proposals), leftOut };
}

function toList(position: number, { limit, too_long, credential }: LeftOutCounts): SourceLeftOut[] {
  const all: SourceLeftOut[] = [
    { position, reason: 'limit', count: limit },
    { position, reason: 'too_long', count: too_long },
    { position, reason: 'credential', count: credential },
  ];
  return all.filter(({ count }) => count > 0);
}
