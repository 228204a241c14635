import { isRandomString } from './random-string.ts';

/** Replaces a credential. No Source contains this character, because the service rejects it (spec 00 §2). */
export const credentialMark = '\u0000';

/** Whether a text contains something that looks like a credential, or a masked one (spec 20 X4). Prefers false positives. */
export function hasCredential(text: string): boolean {
  return text.includes(credentialMark) || maskCredentials(text) !== text;
}

/**
 * Replaces everything that looks like a credential by `credentialMark`. Must run before the text is split, because the words
 * before a value identify it. Linear in the length of the text.
 */
export function maskCredentials(text: string): string {
  let masked = maskKeyBlocks(text);
  for (const token of tokens) masked = masked.replace(token, credentialMark);
  for (const { pattern, isSecret } of assignments) {
    masked = masked.replace(pattern, (match, value: string) => (isSecret(value) ? credentialMark : match));
  }
  return masked.replace(longRun, (run, offset: number, whole: string) =>
    isRandomString(run, whole.slice(Math.max(0, offset - 16), offset)) ? credentialMark : run,
  );
}

const blockBegin = /-----BEGIN [A-Z0-9 ]{1,60}-----/g;
const blockEnd = '-----END';

// A loop, because a lazy regular expression would search for a missing end once for each BEGIN line.
function maskKeyBlocks(text: string): string {
  const parts: string[] = [];
  let from = 0;
  blockBegin.lastIndex = 0;
  for (let begin = blockBegin.exec(text); begin; begin = blockBegin.exec(text)) {
    parts.push(text.slice(from, begin.index), `\n\n${credentialMark}\n\n`);
    const end = text.indexOf(blockEnd, blockBegin.lastIndex);
    if (end === -1) return parts.join('');
    const tail = /^-----END[A-Z0-9 ]{0,60}(?:-----)?/.exec(text.slice(end, end + 80));
    from = end + (tail?.[0].length ?? blockEnd.length);
    blockBegin.lastIndex = from;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

// Anchors each pattern at the start of a run of word characters, to test it once per run.
const startPattern = '(?<![\\w-])';

const tokens: readonly RegExp[] = [
  new RegExp(`${startPattern}(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}`, 'g'),
  new RegExp(
    `${startPattern}(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|dop_v1_|whsec_)[\\w-]{16,}`,
    'g',
  ),
  new RegExp(
    `${startPattern}(?:sk-|sk-ant-|[rps]k_(?:live|test)_|xox[abeoprs]-|AGE-SECRET-KEY-)[\\w-]{10,}`,
    'g',
  ),
  new RegExp(`${startPattern}(?:AIza|shp(?:at|ca|pa|ss)_)[\\w-]{30,}`, 'g'),
  new RegExp(`${startPattern}(?:ya29|hv[sb])\\.[\\w-]{20,}`, 'g'),
  new RegExp(`${startPattern}SG\\.[\\w-]{16,64}\\.[\\w-]{16,}`, 'g'),
  new RegExp(`${startPattern}eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?`, 'g'),
  /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:[^\s@/]{1,200}@\S*/gi,
  /hooks\.slack\.com\/services\/\S+|discord(?:app)?\.com\/api\/webhooks\/\S+/gi,
  /[?&](?:key|sig|signature|x-amz-signature)=[^\s&#]{6,}/gi,
];

interface Assignment {
  /** The first group is the value. */
  pattern: RegExp;
  isSecret: (value: string) => boolean;
}

const strong =
  'pass(?:word|wd|phrase|code)|pwd|(?:api|private|secret|access|encryption|signing)[ _-]?key|' +
  'client[ _-]?secret|(?:auth|access|refresh|bearer)[ _-]?token|credential';
const weak = 'secret|token';
const tailPattern = '(?:s|key|hash|value|base)?(?:[_.-][\\w.-]{0,40}|\\d{1,4})?';
const spacePattern = '[ \\t]{0,4}';
const quotePattern = '["\'`*\\]]{0,3}';
// A quoted value extends to its closing quote or the end of the line. Any other value extends to white space, without the final
// punctuation.
const valuePattern = '("[^"\\n]*|\'[^\'\\n]*|`[^`\\n]*|[^\\s,;]*[^\\s,;.!?])';

const assignments: readonly Assignment[] = [
  assignment(
    `(?:${strong}|secret)${tailPattern}${quotePattern}${spacePattern}(?:=>|:=|=(?!=))${spacePattern}${valuePattern}`,
    () => true,
  ),
  assignment(`token${quotePattern}${spacePattern}(?:=>|:=|=(?!=))${spacePattern}${valuePattern}`, () => true),
  assignment(
    `(?:${strong})${tailPattern}${quotePattern}${spacePattern}[:\\uFF1A]${quotePattern}${spacePattern}${valuePattern}`,
    isNotProse,
  ),
  assignment(
    `(?:${weak})${quotePattern}${spacePattern}[:\\uFF1A]${quotePattern}${spacePattern}${valuePattern}`,
    isValueLike,
  ),
  assignment(
    `(?:${strong}|${weak})s?${quotePattern}[:\\uFF1A]${quotePattern}${spacePattern}\\r?\\n[ \\t>*-]{0,8}([^\\s]{4,})[ \\t]{0,8}(?=[\\r\\n]|$)`,
    () => true,
  ),
  assignment(
    `(?:${strong}|${weak})s?${quotePattern}[ \\t]{1,4}(?:is|was|are|to)[ \\t]{1,4}${valuePattern}`,
    isValueLike,
  ),
  assignment(`--(?:${strong}|${weak})[ \\t]{1,4}${valuePattern}`, isValueLike),
  assignment(`(?<![\\w-])(?:bearer|basic)[ \\t]{1,4}([\\w.~+/=-]{16,})`, isValueLike),
  assignment(
    `(?:密码|密碼|口令|密钥|密鑰|金鑰|私钥|私鑰|令牌)${spacePattern}[:\\uFF1A=\\uFF1D]${spacePattern}["'\`“「]?([!-~]{3,})`,
    () => true,
  ),
  assignment(
    `(?:密码|密碼|口令|密钥|密鑰|金鑰|私钥|私鑰|令牌)${spacePattern}[是为為]${spacePattern}["'\`“「]?([!-~]{4,})`,
    isValueLike,
  ),
];

function assignment(source: string, isSecret: (value: string) => boolean): Assignment {
  return { pattern: new RegExp(source, 'gi'), isSecret };
}

const prose =
  /^(?:must|should|shall|never|always|do|is|are|not|no|required|use|stored|rotated?|the|an?|at|minimum|see|kept)$/i;

/** `Password: must be rotated` is a rule about passwords. Any other text after the colon counts as a password. */
function isNotProse(value: string): boolean {
  return !prose.test(value);
}

function isValueLike(value: string): boolean {
  const bare = value.slice(0, 200).replace(/^["'`]|[.,;:!?"'`]$/g, '');
  if (bare.length < 4) return false;
  if (/^\d+$/.test(bare)) return bare.length >= 6;
  return /[!@#$%^&*]/.test(bare) || (/\d/.test(bare) && /[A-Za-z]/.test(bare)) || /[a-z][A-Z]/.test(bare);
}

const longRun = /(?<![\w+/=-])[\w+/=-]{24,}/g;
