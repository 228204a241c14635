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
