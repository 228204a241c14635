import { findAssignedSecrets } from './assignments.ts';
import { findBase64Secrets } from './base64-secrets.ts';
import { findCommandSecrets } from './command-secrets.ts';
import { findHexKeys } from './hex-keys.ts';
import { findKeyBlocks, findPublicKeys, tokenPatterns } from './known-forms.ts';
import { findLabelledSecrets } from './labelled-secrets.ts';
import { findNamedSecrets } from './named-secrets.ts';
import { findCardNumbers, findIbans } from './numbers.ts';
import { findPinNumbers } from './pin-numbers.ts';
import { findRandomStrings } from './random-strings.ts';
import { matchSpans, mergeSpans, type Span } from './spans.ts';

/**
 * Rules that find credentials in a text (spec 20 X4, spec 25 Q17): private keys, tokens of known forms, passwords that a
 * setting or a sentence gives, payment card numbers and IBANs. The service and its clients share them.
 */

/** `standard` omits long random strings, because a commit id is none. `strict` includes them. */
export type CredentialLevel = 'standard' | 'strict';

/** What `redactCredentials` writes in place of a credential. */
export const redactedMark = '[redacted]';

/** Longest span that can be a mark with quotes around it, in characters. */
const maxMarkLength = 64;

/**
 * Finds credentials; offsets are UTF-16 code units, ascending and disjoint. Public keys and certificates are none. Prefers false
 * positives. Linear in the length of the text.
 */
export function findCredentials(text: string, level: CredentialLevel): Span[] {
  const blocks = findKeyBlocks(text);
  const spans: Span[] = [
    ...blocks.secret,
    ...tokenPatterns.flatMap((pattern) => [...matchSpans(text, pattern)]),
    ...findAssignedSecrets(text),
    ...findBase64Secrets(text),
    ...findCommandSecrets(text),
    ...findHexKeys(text),
    ...findLabelledSecrets(text),
    ...findNamedSecrets(text),
    ...findPinNumbers(text),
    ...findCardNumbers(text),
    ...findIbans(text),
    ...(level === 'strict' ? findRandomStrings(text) : []),
  ].filter(({ start, end }) => end - start > maxMarkLength || !text.slice(start, end).includes(redactedMark));
  if (spans.length === 0) return [];
  return mergeSpans(spans, mergeSpans([...blocks.public, ...findPublicKeys(text)], []));
}

/** Whether a text contains something that looks like a credential. */
export function hasCredential(text: string, level: CredentialLevel = 'strict'): boolean {
  return findCredentials(text, level).length > 0;
}

/** Replaces each credential by `replacementOf(credential)`. `count` is the number of replacements. Idempotent with the default mark. */
export function redactCredentials(
  text: string,
  level: CredentialLevel,
  replacementOf: (credential: string) => string = () => redactedMark,
): { text: string; count: number } {
  const spans = findCredentials(text, level);
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), replacementOf(text.slice(start, end)));
    from = end;
  }
  parts.push(text.slice(from));
  return { text: parts.join(''), count: spans.length };
}

export type { Span };
