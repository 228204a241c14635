import { findAssignedSecrets } from './assignments.ts';
import { findKeyBlocks, tokenPatterns } from './known-forms.ts';
import { matchSpans, type Span } from './spans.ts';

const base64 = /(?<![\w+/=-])[A-Za-z0-9+/]{16,4000}={0,2}(?![\w+/=])/g;
/** Text of one line or several. A run of letters that is no Base64 decodes to other characters. */
const printable = /^[\x20-\x7e\t\r\n]+$/;
/** `user:password`, as in the header of basic authentication. */
const login = /^[\w.@+-]{1,60}:[^\s:]{3,200}$/;

/** Finds Base64 that decodes to a text with a credential: a login, a setting, a key block, a token of a known form. */
export function findBase64Secrets(text: string): Span[] {
  const spans: Span[] = [];
  for (const { start, end, value } of matchSpans(text, base64)) {
    const decoded = decode(value);
    if (decoded !== null && (login.test(decoded) || holdsSecret(decoded))) spans.push({ start, end });
  }
  return spans;
}

function decode(value: string): string | null {
  if (value.length % 4 !== 0) return null;
  try {
    const decoded = atob(value);
    return printable.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

function holdsSecret(text: string): boolean {
  if (findKeyBlocks(text).secret.length > 0 || findAssignedSecrets(text).length > 0) return true;
  return tokenPatterns.some((pattern) => !matchSpans(text, pattern).next().done);
}
