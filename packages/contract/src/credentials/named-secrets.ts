import { isCodeExpression } from './code-expressions.ts';
import { findNames } from './secret-names.ts';
import {
  bareValue,
  isMessage,
  isNumberedSecret,
  isProseWord,
  isPublicValue,
  isValueLike,
} from './secret-values.ts';
import type { Span } from './spans.ts';

// Secrets that a sentence tells, in the languages of search (spec 20 S6): `das Passwort lautet …`, `пароль …`, `パスワードは…`.

/** Words that say what follows is the value. */
const copula =
  `is|was|are|be|as|als|comme|como|cest|на|naar|till|til|ke|thành|becomes|reads|to|equals|now|stays|remains
ist|lautet|lauten|heißt|heisst|war|wäre|wird|auf|zu|sei|nun|jetzt
est|sera|devient|reste|sigue|siendo|continua|rimane|blijft|pozostaje|était|maintenant|es|será|era|ahora|fue|é|foi|agora|è|sarà|ora|diventa
is|wordt|luidt|nu|är|er|blir|lyder|on|olarak|oldu|este|va|fi|az|lett|to|jest|brzmi|je|bude|zní
это|будет|есть|теперь|является|станет|остаётся|остается|такой|цей|буде|είναι|έγινε|هي|هو|הוא|היא|है|là|adalah|ialah
must|should|shall|will|muss|soll|sein|bleibt|doit|être|devra|debe|ser|estar|deve|essere|moet|zijn|ska|vara|skal|være|olla|legyen|musi|być|musí|být|должен|быть`.split(
    /[|\n]/,
  );
const copulas = new Set(copula);
/** Copulas behind which a word with a number is a value: `the password is tiger-7`, not `the password lives on node-7`. */
const plainCopulas = new Set(
  'is are ist lautet lauten stays remains bleibt est reste es sigue siendo é è rimane luidt blijft jest brzmi zní är er'.split(
    ' ',
  ),
);
const separator = /^(?:[:=\uFF1A\uFF1D—–→-]{1,2}>?|>{1,2})$/;

/** Words behind a name that make it another thing: `password manager`, `password policy`. */
const compound =
  /^[-_ ]?(?:less|hash|hashes|hashing|hashed|manager|managers|polic(?:y|ies)|reset|resets|field|fields|form|forms|store|vault|length|rotation|strength|generator|protected|protection|richtlinien?|manager|endpoint|column|table|flow|page|prompt|check|expiry|lifetime|limit|type|count|usage|budget|window)(?![\p{L}])/iu;

/** Characters behind and before a name that are read. */
const reach = 90;

/** Most words between a name and the word that leads to its value. */
const maxFillers = 6;

type IsValue = (value: string) => boolean;

function isToken(name: string): boolean {
  return /token|токен|トークン|토큰/iu.test(name);
}

/** A token has letters and digits. Numbers beside the word are counts of tokens of a model. */
function isTokenLike(value: string): boolean {
  const bare = bareValue(value);
  return bare.length >= 8 && /\d/.test(bare) && /[A-Za-z]{2}/.test(bare) && isValueLike(value);
}

/** Finds values that a sentence gives to a password, a secret key or a token. */
export function findNamedSecrets(text: string): Span[] {
  const spans: Span[] = [];
  let last = -1;
  for (const { name, index } of findNames(text)) {
    const end = index + name.length;
    const isRepeated = last === index;
    last = end;
    // Names without anything between them give no value.
    if (isRepeated) continue;
    const after = valueAfter(text.slice(end, end + reach), name);
    if (after !== null) spans.push({ start: end + after.start, end: end + after.end });
    const from = Math.max(0, index - reach);
    // A blank, because a word at the beginning of a text is whole.
    const before = valueBefore(`${from === 0 ? ' ' : ''}${text.slice(from, index)}`);
    const shift = from === 0 ? -1 : from;
    if (before !== null) spans.push({ start: shift + before.start, end: shift + before.end });
  }
  return spans;
}

// CJK text up to the value.
const cjkGap =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]{1,14}[ \t]{0,2}[:\uFF1A=\uFF1D「『“"'`]{0,3}[ \t]{0,2}(?=[!-~])/u;
const cjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const asciiRun = /^[!-~]+/;

/** The name is a text or an argument of a program: `getByLabel('Password')`, `"Password", `. */
const otherUse = /^(?:["'`][ \t]?[,)\]}]|["'`]?[ \t]?[)\]}][)\].,;}]|[,@]|>[^\s>])/;
/** The name is part of a path or an identifier: `PasswordInput.tsx:42`. */
const pathPattern = /^(?:[./\\_-]\w|[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\d_])/u;

/** Names of languages that need no verb between name and value. */
const verbless = /парол|sandi|kunci|كلم|رمز|گذر|پسورد|סיסמ|비번/i;
/** Names of passwords, whose value can be any word. */
const passwordName =
  /^(?:password|passwd|passphrase|passcode|key phrase|passwort|kennwort|wachtwoord|hasł|heslo?|pwd|pw)$/i;
const plainPattern =
  /^[a-zà-ÿ]{0,2}(?:[ \t]{1,4}(?!and\b|or\b|und\b|oder\b)[\w-]{1,20}){0,5}?[ \t]{1,4}(?<verb>is|reads|lautet|luidt|brzmi|zní)[ \t]{1,4}(?<value>(?!(?:per|write|read|user|self|auto|non|multi|one|well|time|plain|not|un)-)[^\s\d.,;:!?()"'`-][^\s\d.,;:!?()"'`]{3,40})(?=[ \t]*(?:[.,;!)]|\n|$))/i;
/** Endings and words that say something of a password. */
const predicate =
  /(?:ed|en|ing|able|ible|al|ic|ive|ary|ory|ent|ant|ful|less|ous|ly|text|ten|ert|bar|lich|ig|falsch|leer|wrong|correct|short|long|weak|strong|safe|secure|unsafe|insecure|unique|here|there|mine|yours|same|different|random|shared|right|fine|gone|kept|sent|lost|bad|good|fresh|stale|clear|blank|unset|plain|unknown|known|hashes|complete|case|needed|enough|private|public)$/i;

/** A single plain word that a sentence tells to be a password, as its last word: `the password for the box is swordfish`. */
function plainWord(rest: string, name: string): Span | null {
  if (!passwordName.test(name)) return null;
  const { verb, value } = plainPattern.exec(rest)?.groups ?? {};
  if (verb === undefined || value === undefined || isProseWord(value)) return null;
  if (verb.toLowerCase() === 'is' && predicate.test(value)) return null;
  const start = rest.indexOf(value, rest.toLowerCase().indexOf(` ${verb.toLowerCase()} `) + verb.length + 1);
  return { start, end: start + value.length };
}

/** One quoted word directly behind the name: `the password "swordfish"`. */
function quotedBeside(rest: string, from: number): Span | null {
  const blank = /^[ \t]{1,4}/.exec(rest.slice(from))?.[0];
  const found = blank === undefined ? null : quoted(rest, from + blank.length);
  if (found === null) return null;
  const value = rest.slice(found.start, found.end);
  return /\s/.test(value) || value.length < 4 || isMessage(value) || isProseWord(value) ? null : found;
}

/** Most words between a name and a value without a verb. */
const maxVerblessWords = 5;

/** The last word of the clause that has the name, if it looks like a value: `пароль от wifi sonne77`. */
function lastOfClause(rest: string, from: number): Span | null {
  const line = /^[^\n]*/.exec(rest.slice(from))?.[0] ?? '';
  const words = [...line.matchAll(/\S+/g)].slice(0, maxVerblessWords);
  for (const [place, { 0: word, index }] of words.entries()) {
    const isLast = /[,;.!]$/.test(word) || place === words.length - 1;
    if (isLast) return isValueLike(word) ? trimmed(from + index, word) : null;
  }
  return null;
}

/** The value in a text that follows a name. */
function valueAfter(rest: string, name: string): Span | null {
  if (compound.test(rest) || otherUse.test(rest)) return null;
  const isValue = isToken(name) ? isTokenLike : isValueLike;
  const gap = cjkGap.exec(rest)?.[0];
  if (gap !== undefined) return valueAt(rest, gap.length, isValue);
  const ending = /^[\p{L}\p{M}'’]{0,6}(?:["'`](?=[ \t]?[:=]))?/u.exec(rest)?.[0] ?? '';
  if (pathPattern.test(rest.slice(ending.length))) return null;
  return (
    valueInWords(rest, ending.length, isValue) ??
    quotedBeside(rest, ending.length) ??
    valueBeforeVerb(rest, ending.length, name, isValue) ??
    (verbless.test(name) ? lastOfClause(rest, ending.length) : null) ??
    (isValue === isValueLike ? plainWord(rest, name) : null)
  );
}

/**
 * A clause whose verb comes last: `dat het wachtwoord van de server tulpje33 is`. English has none: in `what the password for db01 is`
 * the value is unknown. What follows a preposition is what the password is for.
 */
const verbLast =
  /^(?:[ \t]{1,4}[\p{L}'’-]{1,24}){1,6}?(?<![ \t](?:für|von|vom|auf|bei|zu|van|voor|op|bij|aan|for|of|on|at|to|in|host|rechner|server))[ \t]{1,4}(?<value>\S{4,64})[ \t]{1,4}(?<verb>is|was|wordt|luidt|ist|war|lautet|sei|wird)(?=[.,;!]|[ \t]*(?:\n|$))/u;
const dutchName = /^(?:wacht|toegang|api-?sleutel|geheime sleutel)/i;

function valueBeforeVerb(rest: string, from: number, name: string, isValue: IsValue): Span | null {
  const match = verbLast.exec(rest.slice(from));
  const { value, verb } = match?.groups ?? {};
  if (match === null || value === undefined || !isValue(value)) return null;
  if (/^(?:is|was)$/i.test(verb ?? '') && !dutchName.test(name)) return null;
  return trimmed(from + match[0].lastIndexOf(value), value);
}

/** Place of a word: directly behind the name, behind a word that tells the value or can tell it, or elsewhere. */
type Place = 'adjacent' | 'told' | 'hinted' | 'far';

function valueAtPlace(rest: string, at: number, place: Place, isValue: IsValue): Span | null {
  if (place === 'far') return null;
  return (
    valueAt(rest, at, isValue) ??
    (place === 'told' ? numberedAt(rest, at, isValue) : null) ??
    (place !== 'adjacent' ? quoted(rest, at) : null)
  );
}

/** A word with a number directly behind a word that gives the value. */
function numberedAt(rest: string, at: number, isValue: IsValue): Span | null {
  const word = /^\S+/.exec(rest.slice(at))?.[0] ?? '';
  return isValue === isValueLike && isNumberedSecret(word) ? trimmed(at, word) : null;
}

function placeBehind(word: string): Place {
  const bare = word.toLowerCase().replace(/[^\p{L}\p{M}]/gu, '');
  if (plainCopulas.has(bare)) return 'told';
  return copulas.has(bare) ? 'hinted' : 'far';
}

/** A word behind which a sentence, or code, speaks of another thing. */
const clauseEnd = /[.!?;]$|[[\]{}()]|^such$/;
/** A machine or a ticket that a sentence refers to: `needed on ubuntu-2204`, `changed as ticket-123 says`. The Finnish `on` is a verb. */
const reference = /ed (?:on [a-z]{2,12}-\d{1,6}|as (?:ticket|issue|bug|task|story|rfc|adr)-\d{1,6})[.,;!]?$/i;

function valueInWords(rest: string, from: number, isValue: IsValue): Span | null {
  const line = /^[^\n]*/.exec(rest.slice(from))?.[0] ?? '';
  let place: Place = 'adjacent';
  let fillers = 0;
  let lead = '';
  for (const { 0: word, index } of line.matchAll(/\S+/g)) {
    const at = from + index;
    lead = `${lead} ${word}`;
    const separated = separatorLength(word);
    if (separated > 0) return valueAfterSeparator(rest, at + separated, isValue);
    const found = reference.test(lead) ? null : valueAtPlace(rest, at, place, isValue);
    if (found !== null) return found;
    place = placeBehind(word);
    if (place === 'far') fillers += 1;
    if (fillers > maxFillers || clauseEnd.test(word)) return null;
  }
  return null;
}

/** Length of the part of a word up to the separator that leads to a value; 0 without one. */
function separatorLength(word: string): number {
  if (separator.test(word) || /[:\uFF1A]$/.test(word)) return word.length;
  return /^[:\uFF1A=\uFF1D]/.exec(word)?.[0].length ?? 0;
}

/** The value behind a colon, if it is not code. */
function valueAfterSeparator(rest: string, from: number, isValue: IsValue): Span | null {
  const blank = /^[ \t]*/.exec(rest.slice(from))?.[0].length ?? 0;
  const found = numberedAt(rest, from + blank, isValue) ?? firstValue(rest, from, isValue);
  return found !== null && isCodeExpression(rest.slice(found.start).split(/\s/, 1)[0] ?? '') ? null : found;
}

/** The first of four words that looks like a value, or the only word of the line. */
function firstValue(rest: string, from: number, isValue: IsValue): Span | null {
  const line = /^[^\n]*/.exec(rest.slice(from))?.[0] ?? '';
  const words = [...line.matchAll(/\S+/g)];
  const isAssigned = /[=\uFF1D]$/.test(rest.slice(0, from));
  for (const { 0: word, index } of words.slice(0, isAssigned ? 1 : 4)) {
    // The next words belong to another label, or the value was redacted before.
    if (/[[\]{}()]|[:\uFF1A]$/.test(word)) break;
    const found = valueInQuotes(rest, from + index, isValue) ?? valueAt(rest, from + index, isValue);
    if (found !== null) return found;
  }
  const [only] = words;
  if (only === undefined) return null;
  if (/^["“„«「『`']/.test(only[0])) return quoted(rest, from + only.index);
  const bare = bareValue(only[0]);
  const isPlainWord = words.length === 1 && bare.length >= 4 && !cjk.test(only[0]) && !isProseWord(bare);
  return isPlainWord && isValue === isValueLike && !isPublicValue(only[0])
    ? trimmed(from + only.index, only[0])
    : null;
}

/** A quoted value in code, which ends before `","`. */
function valueInQuotes(rest: string, at: number, isValue: IsValue): Span | null {
  const value = /^(["'`])(?<value>[^"'`\s]{3,80})\1/.exec(rest.slice(at))?.groups?.['value'];
  return value === undefined || !isValue(value) ? null : { start: at + 1, end: at + 1 + value.length };
}

/** The word at `at`, or its ASCII beginning before CJK text, if it is like a value. */
function valueAt(rest: string, at: number, isValue: IsValue): Span | null {
  const word = /^\S+/.exec(rest.slice(at))?.[0] ?? '';
  if (/^[)\]}]/.test(word)) return null;
  const run = asciiRun.exec(word)?.[0] ?? '';
  if (run !== '' && isValue(run)) return trimmed(at, run);
  if (run.length === word.length || cjk.test(word) || !isValue(word)) return null;
  return trimmed(at, word);
}

function quoted(rest: string, at: number): Span | null {
  const match = /^["“„«「『`'](?<value>[^"”“»」』`'\n]{3,64})["”“»」』`']/u.exec(rest.slice(at));
  const value = match?.groups?.['value'];
  return value === undefined || isPublicValue(value) || isMessage(value)
    ? null
    : { start: at + 1, end: at + 1 + value.length };
}

/** The span of a word without quotes before it and punctuation behind it. */
function trimmed(at: number, word: string): Span {
  const lead = /^["'`“„«「『(]*/.exec(word)?.[0].length ?? 0;
  const bare = word.slice(lead).replace(/[.,;:!?"'`”“»」』)]+$/, '');
  return { start: at + lead, end: at + lead + bare.length };
}

const leadsBack = new Set(
  'is as als ist est comme es como è come é som jako jest как это — – - olarak ως είναι будет стал'.split(
    ' ',
  ),
);
/** Words between a value and the word that leads back to it: `… should be used as the passphrase`. */
const auxiliary = new Set('should must will can be is now set used taken chosen soll wird bitte'.split(' '));
const particle = /[がはをを是作为為当當成이가를을로]/u;
const cjkOrBlank = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul} ]/u;

/** Most words or characters between a value and the name behind it: `geheim123 is our new staging password`. */
const maxWordsBefore = 4;
const maxCharactersBefore = 12;

/** The value in a text that precedes a name: `geheim123 als Passwort`, `sakura88をパスワードに`. */
function valueBefore(lead: string): Span | null {
  const lineStart = lead.lastIndexOf('\n') + 1;
  return valueBeforeWords(lead, lineStart) ?? valueBeforeParticle(lead, lineStart);
}

function valueBeforeWords(lead: string, lineStart: number): Span | null {
  const words = [...lead.slice(lineStart).matchAll(/\S+/g)].filter(({ 0: word }) => !/^[«»"“”]$/.test(word));
  for (let back = 1; back <= maxWordsBefore + 1 && back < words.length; back += 1) {
    if (!leadsBack.has(words.at(-back)?.[0].toLowerCase() ?? '')) continue;
    let before = back + 1;
    while (auxiliary.has(words.at(-before)?.[0].toLowerCase() ?? '')) before += 1;
    const word = words.at(-before);
    // The first word may be the end of a longer one.
    if (word === undefined || (word.index === 0 && lineStart === 0)) return null;
    if (isValueLike(word[0])) return trimmed(lineStart + word.index, word[0]);
  }
  return null;
}

function valueBeforeParticle(lead: string, lineStart: number): Span | null {
  let end = lead.length;
  const least = Math.max(lineStart, end - maxCharactersBefore);
  while (end > least && cjkOrBlank.test(lead.charAt(end - 1))) end -= 1;
  if (!particle.test(lead.slice(end).trimStart().charAt(0))) return null;
  let start = end;
  while (start > lineStart && /[!-~]/.test(lead.charAt(start - 1))) start -= 1;
  const value = lead.slice(start, end);
  return isValueLike(value) ? trimmed(start, value) : null;
}
