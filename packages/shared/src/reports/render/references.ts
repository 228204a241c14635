import type { ArtifactRef, Citation } from '@continuity/contract';
import type { ExternalReference } from '@continuity/contract/reports';
import { cleanText, code, joinLines, words } from './lines.ts';
import type { Inline, Line } from './markdown.ts';

const schemeWithAuthority = /^https?:\/\//i;
const unsafeInUrl = /[<>\\`|\s]/gu;

/** `label: R, R`; empty without references. */
export function referencesLine(label: string, references: readonly ExternalReference[]): Line {
  if (references.length === 0) return [];
  const shown = references.map((reference) => [toInline(reference)]);
  return [words(`${label}: `), ...joinLines(shown, ', ')];
}

/** `R`: a link if the reference has a URL that a document may link to, else a code span (spec 30 §4.9.5). */
function toInline({ provider, external_id, url }: ExternalReference): Inline {
  const name = `${provider} ${external_id}`;
  const href = url == null ? undefined : linkTarget(url);
  return href === undefined ? code(name) : { kind: 'link', text: cleanText(name), href };
}

/** The URL in the form of a link target; undefined if it is none for http or https, or has a user name or password. */
function linkTarget(url: string): string | undefined {
  if (!schemeWithAuthority.test(url)) return undefined;
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return undefined;
  return parsed.href.replace(unsafeInUrl, encodeURIComponent);
}

/** A Citation in the words of a document: its kind and its reference. */
export function describeCitation(citation: Citation): string {
  switch (citation.kind) {
    case 'source':
      return `source ${citation.source_ref.name}/${citation.source_ref.source_id}`;
    case 'artifact':
      return `artifact ${describeRevision(citation.artifact_ref)}`;
    case 'memory': {
      const { memory_ref, entry_id, entry_version_id } = citation.memory_citation;
      return `memory ${describeRevision(memory_ref)}#${entry_id}/${entry_version_id}`;
    }
  }
}

/** `family/artifact_id@n` */
export function describeRevision({ family, artifact_id, revision }: ArtifactRef): string {
  return `${family}/${artifact_id}@${revision}`;
}
