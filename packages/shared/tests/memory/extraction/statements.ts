import {
  createBuiltinExtractor,
  type EvidenceSource,
  type ExtractionProfile,
  type Proposal,
} from '../../../src/memory/extraction/index.ts';

export function sourceOf(content: EvidenceSource['content'], position = 1): EvidenceSource {
  return { ref: { name: 'content', source_id: `source-${position}` }, position, content };
}

/** Extracts Sources with these contents by the built-in extractor. */
export function proposalsFrom(
  contents: EvidenceSource['content'][],
  profile: ExtractionProfile = 'coding',
): Promise<Proposal[]> {
  return createBuiltinExtractor().extract({
    profile,
    sources: contents.map((content, index) => sourceOf(content, index + 1)),
    known: [],
    signal: new AbortController().signal,
  });
}

/** The same for one Source, as `[kind, text]` pairs. */
export async function statementsIn(
  content: EvidenceSource['content'],
  profile: ExtractionProfile = 'coding',
): Promise<[string, string][]> {
  return (await proposalsFrom([content], profile)).map(({ kind, text }) => [kind, text]);
}

export async function textsIn(
  content: EvidenceSource['content'],
  profile: ExtractionProfile = 'coding',
): Promise<string[]> {
  return (await statementsIn(content, profile)).map(([, text]) => text);
}
