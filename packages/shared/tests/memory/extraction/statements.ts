import type { TenantId } from '@continuity/kernel/database';
import { canonicalJson, type JsonValue } from '@continuity/kernel/json';
import { createLogger } from '@continuity/kernel/telemetry';
import {
  createBuiltinExtractor,
  type EvidenceSource,
  type Extraction,
  type ExtractionProfile,
  type Proposal,
  StatementFinder,
} from '../../../src/memory/extraction/index.ts';

export const tenantId = 1 as TenantId;

/** Its threads end with the process. */
export const extractor = createBuiltinExtractor(
  new StatementFinder(createLogger({ LOG_LEVEL: 'silent' }, 'test')),
);

export function sourceOf(content: JsonValue, position = 1): EvidenceSource {
  const ref = { name: 'content', source_id: `source-${position}` };
  return { ref, position, json: canonicalJson(content) };
}

/** Extracts Sources with these contents by the built-in extractor. */
export async function proposalsFrom(
  contents: JsonValue[],
  profile: ExtractionProfile = 'coding',
): Promise<Proposal[]> {
  return (await extractionOf(contents, profile)).proposals;
}

/** The same with what was left out. */
export function extractionOf(
  contents: JsonValue[],
  profile: ExtractionProfile = 'coding',
): Promise<Extraction> {
  return extractor.extract({
    tenantId,
    profile,
    sources: contents.map((content, index) => sourceOf(content, index + 1)),
    known: [],
    signal: new AbortController().signal,
  });
}

/** The same for one Source, as `[kind, text]` pairs. */
export async function statementsIn(
  content: JsonValue,
  profile: ExtractionProfile = 'coding',
): Promise<[string, string][]> {
  return (await proposalsFrom([content], profile)).map(({ kind, text }) => [kind, text]);
}

export async function textsIn(content: JsonValue, profile: ExtractionProfile = 'coding'): Promise<string[]> {
  return (await statementsIn(content, profile)).map(([, text]) => text);
}
