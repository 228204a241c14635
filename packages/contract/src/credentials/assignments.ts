import { isCodeExpression } from './code-expressions.ts';
import { isMessage, isProseWord, isPublicValue, isValueLike } from './secret-values.ts';
import { matchSpans, type Span } from './spans.ts';

// Assignments as code, settings and notes write them, with English names: `DB_PASSWORD=…`, `"apiKey": …`, `--token …`.

const strong =
  'pass(?:word|wd|phrase|code)|pwd|(?:api|private|secret|access|account|encryption|signing|shared|preshared|auth|app|admin|master|session|deploy|license)[ _-]?key|' +
  'client[ _-]?secret|(?:auth|access|refresh|bearer)[ _-]?token|credential';
const weak = 'secret|token';
// `TOKEN_FILE` names a file, and `token_type` a type.
const tail =
  '(?:s|key|hash|value|base)?(?:[_.-](?![\\w.-]{0,32}(?:file|path|url|uri|dir|name|type|ttl|length|limit|count|policy|pattern|header|var|expiry|expires|expires_in|sha256)(?![\\w-]))[\\w.-]{0,40}|\\d{1,4})?';
const space = '[ \\t]{0,4}';
const quote = '["\'`*\\]]{0,3}';
// A quoted value extends to its closing quote or the end of the line. Any other value extends to white space, without the final
// punctuation.
const value = '(?<value>"[^"\\n]{0,4000}|\'[^\'\\n]{0,4000}|`[^`\\n]{0,4000}|[^\\s,;]{0,4000}[^\\s,;.!?])';

interface Assignment {
  /** The group `value` is the value. */
  pattern: RegExp;
  isSecret: (value: string) => boolean;
}

const assignments: readonly Assignment[] = [
  assignment(`(?:${strong}|secret)${tail}${quote}${space}(?:=>|:=|=(?!=))${space}${value}`, () => true),
  assignment(`token${quote}${space}(?:=>|:=|=(?!=))${space}${value}`, () => true),
  assignment(`(?:${strong})${tail}${quote}${space}[:\\uFF1A]${quote}${space}${value}`, isNotProse),
  assignment(`(?:${weak})${quote}${space}[:\\uFF1A]${quote}${space}${value}`, isValueLike),
  assignment(
    `(?:${strong}|${weak})s?${quote}[:\\uFF1A]${quote}${space}(?:[|>][+-]?[ \\t]{0,4})?\\r?\\n[ \\t>*-]{0,8}(?<value>[^\\s]{4,4000})(?=[ \\t]{0,8}(?:[\\r\\n]|$))`,
    () => true,
  ),
  assignment(`(?:${strong}|${weak})s?${quote}[ \\t]{1,4}(?:is|was|are|to)[ \\t]{1,4}${value}`, isValueLike),
  // A phrase has several words.
  assignment(
    `pass ?phrase${quote}${space}(?:[:=\\uFF1A→]|->)${space}(?<value>[^\\s"'\`][^\\n"'\`]{0,198}[^\\s"'\`])`,
    isPhrase,
  ),
  // `SMTP_PASS=…`, `ansible_become_pass: …`, `REDISCLI_AUTH=…`, `"auth": "<Base64>"`.
  assignment(`[a-z0-9][_-]pass${quote}${space}[:=]${quote}${space}${value}`, isNotProse),
  assignment(`[a-z0-9][_-]pass(?:word)?[ \\t]{1,4}(?<value>["'][^\\s"']{3,400})(?=["'])`, isValueLike),
  assignment(`(?:[a-z0-9]_auth|_auth)${quote}${space}=${space}${value}`, isNotProse),
  assignment(`(?<![\\w-])auth["']?${space}[:=]${space}(?<value>["'][\\w+/=-]{16,4000})`, () => true),
  assignment(`--(?:${strong}|${weak})[ \\t]{1,4}${value}`, isValueLike),
  // `The password (kept in the safe) is …`.
  assignment(
    `(?:${strong}|${weak})s?[ \\t]\\([^()\\n]{1,80}\\)[ \\t]{1,4}(?:is|was)[ \\t]{1,4}${value}`,
    isValueLike,
  ),
  // The default of a secret variable of Terraform.
  assignment(
    `variable[ \\t]"[^"\\n]{0,60}?(?:${strong}|${weak})[^"\\n]{0,20}"\\s{0,4}\\{[^{}]{0,400}?default\\s{0,8}=\\s{0,8}(?<value>"[^"\\n]{3,400})`,
    () => true,
  ),
  // `pass` alone is a common word.
  assignment(`(?<![\\w-])pass${quote}(?:${space}[:=\\uFF1A]${space}|[ \\t]is[ \\t])${value}`, isValueLike),
  assignment(`(?<![\\w-])pass=${value}`, isNotProse),
  assignment(
    '(?<![\\w-])-?-u(?:ser)?[ \\t=]{1,4}(["\'])[^\\s:"\']{1,100}:(?<value>[^"\'\\n]{3,400})\\1',
    () => true,
  ),
  // User and password of a command: `curl -u ada:…`. Elsewhere, `-u` also takes a user and a group.
  assignment(
    '(?<![\\w-])(?:curl|wget|https?)[ \\t][^\\n]{0,200}?(?:-u|--user)[ \\t=]{0,4}["\']?[^\\s:"\']{1,100}:(?<value>[^\\s"\']{3,4000})',
    () => true,
  ),
  assignment(
    '(?<![\\w-])--?u(?:ser)?[ \\t=]{1,4}["\']?[^\\s:"\']{1,100}:(?<value>[^\\s"\']{3,4000})',
    isValueLike,
  ),
  assignment('(?<![\\w-])(?:bearer|basic)[ \\t]{1,4}(?<value>[\\w.~+/=-]{16,4000})', isValueLike),
];

function assignment(source: string, isSecret: (value: string) => boolean): Assignment {
  return { pattern: new RegExp(source, 'dgi'), isSecret };
}

/** What each of the patterns needs. Most texts have none of it. */
const sign = /pass|pwd|key|secret|token|credential|-u|bearer|basic|auth/i;

/** `Password: must be rotated` is a rule about passwords. Any other text after the colon counts as a password. */
function isNotProse(text: string): boolean {
  return !isProseWord(text);
}

function isPhrase(text: string): boolean {
  return isNotProse(/^\S{0,200}/.exec(text)?.[0] ?? '');
}

/** Finds the values of assignments to secrets. */
export function findAssignedSecrets(text: string): Span[] {
  if (!sign.test(text)) return [];
  const spans: Span[] = [];
  for (const { pattern, isSecret } of assignments) {
    for (const { start, end, value: found } of matchSpans(text, pattern)) {
      const opening = /["'`]/.test(found.charAt(0)) ? 1 : 0;
      if (/[\p{L}\p{N}]/u.test(found) && isSecret(found) && !isOtherThanSecret(found, opening))
        spans.push({ start: start + opening, end });
    }
  }
  return spans;
}

/** A placeholder, code, or a text of a program. */
function isOtherThanSecret(found: string, opening: number): boolean {
  if (isPublicPlaceholder(found.slice(0, 200))) return true;
  return opening === 0 ? isCodeExpression(found) : isMessage(found.slice(1));
}

/** A value that names a secret instead of being one. `password = v1.2` is a password. */
function isPublicPlaceholder(found: string): boolean {
  if (/^["'`]?(?:[$<]|[A-Z][A-Z0-9]*_)/.test(found)) return isPublicValue(found);
  return !/^["'`]?[\w!-]*$/.test(found) && !/\d/.test(found) && isPublicValue(found);
}
