import { type ContextRule, contextRule, findByRules, isNotDescription } from './context-rules.ts';
import { isMessage, isPublicValue, isValueLike } from './secret-values.ts';
import type { Span } from './spans.ts';

// Secrets that the format of a file, a program or a label identifies.

const name = '(?:password|passwd|passwort|passphrase|kennwort|secret|token|api[ _-]?key)';

/** Formats of files, queries, markup and programs. */
const formats: readonly ContextRule[] = [
  // netrc, in one line or several.
  contextRule(
    'machine',
    'machine\\s{1,4}\\S{1,200}\\s{1,10}login\\s{1,4}\\S{1,200}\\s{1,10}password\\s{1,4}(?<value>\\S{1,200})',
    '',
  ),
  // A line of `.pgpass`.
  contextRule(
    ':',
    '^[\\w.*-]{1,100}:(?:\\d{3,5}|\\*):[\\w*-]{1,64}:[\\w*.-]{1,64}:(?<value>[^\\s:]{3,200})$',
    'm',
  ),
  contextRule('wifi:', 'WIFI:[^\\n]{0,100}?;?P:(?<value>[^;\\n]{3,100});', 'i'),
  contextRule(
    'identified password',
    "(?:identified[ \\t]{1,4}by|password)[ \\t]{1,4}(?:'(?<value>[^'\\n]{1,200})')",
    'i',
    isNotDescription,
  ),
  contextRule('identified', 'identified[ \\t]{1,4}by[ \\t]{1,4}"(?<value>[^"\\n]{1,200})"', 'i'),
  contextRule(
    'values',
    '\\([^()\\n]{0,200}passw[^()\\n]{0,200}\\)\\s{0,4}values\\s{0,4}\\((?<value>[^()\\n]{3,400})\\)',
    'i',
    (value) => !/^[\s$?:@%\w,]*$/.test(value),
  ),
  contextRule('</', `<[\\w.:-]{0,40}${name}>(?<value>[^<\\n]{3,400})</`, 'i', isNotDescription),
  contextRule(
    'value=',
    `(?:key|name|id)=["'][^"'\\n]{0,80}${name}["'][ \\t]{1,4}value=["'](?<value>[^"'\\n]{3,400})["']`,
    'i',
    isNotDescription,
  ),
  // A row of a table.
  contextRule(
    '|',
    `\\|[ \\t]{0,20}[\`*]{0,2}[\\w.-]{0,60}(?:${name}|_pass)[\`*]{0,2}[ \\t]{0,60}\\|[ \\t]{0,4}\`?(?<value>[^\\s|\`]{4,400})\`?[ \\t]{0,60}\\|`,
    'i',
    isValueLike,
  ),
  // `fill('#password', '…')`, `setItem('token', '…')`, `define('AUTH_KEY', '…')`, `getByLabel('Password').fill('…')`.
  contextRule(
    'pass',
    '(?:password|passwort)["\'`](?:\\)\\.\\w{2,20}\\(|,[ \\t]{0,4})["\'`](?<value>[^"\'`\\n]{3,200})["\'`]',
    'i',
    isValueLike,
  ),
  contextRule(
    'pass',
    '(?:password|passwort)["\'`]\\)\\.(?:fill|type|sendKeys|send_keys|setValue)\\(["\'`](?<value>[^"\'`\\n]{3,200})["\'`]',
    'i',
    isNotDescription,
  ),
  contextRule(
    'define env set put',
    `(?:define|env|setItem|putenv|setenv|putString|setProperty)\\([ \\t]{0,4}["'][\\w.-]{0,60}(?:${name}|_key|_salt|_pass)["'],[ \\t]{0,4}["'](?<value>[^"'\\n]{3,400})["']`,
    'i',
    (value) => !isMessage(value),
  ),
  contextRule(
    'auth',
    `auth[ \\t]{0,4}=?[ \\t]{0,4}\\([ \\t]{0,4}["'][^"'\\n]{1,100}["'],[ \\t]{0,4}["'](?<value>[^"'\\n]{3,200})["']`,
    'i',
    isValueLike,
  ),
  // A default beside the name of a setting: `env("API_KEY") ?? "…"`.
  contextRule(
    'or || ??',
    `["'][\\w.-]{0,60}(?:${name}|_key)["'][)\\]][^\\n"']{0,30}?(?:or\\(|or |\\|\\||\\?\\?)[ \\t]{0,4}["'](?<value>[^"'\\n]{3,400})["']`,
    'i',
  ),
  contextRule(
    'auth',
    'auth["\']?[ \\t]{0,4}[:=][ \\t]{0,4}["\']?[\\w.-]{2,40}:(?<value>[^\\s"\',;]{5,200})',
    'i',
    isValueLike,
  ),
  // The signing key of a token: `"Key": "…"`.
  contextRule(
    'key',
    '(?<![\\w-])["\']?key["\']?[ \\t]{0,4}[:=][ \\t]{0,4}["\'](?<value>(?=[^"\'\\d]{0,60}\\d)(?=[^"\'A-Z]{0,60}[A-Z])[^\\s"\':/.]{20,400})["\']',
    'i',
    isValueLike,
  ),
];

const word = '[a-z]{3,10}';
const code = '(?=[A-Za-z-]{0,23}\\d)[A-Za-z0-9-]{6,24}';

/** Words that no list of seed words has, and most sentences have. */
const sentenceWord =
  /\b(?:the|must|they|with|then|and|show|shows|users?|for|from|into|before|after|your|their|should|are|was)\b/i;

/** Whether words are as many as a seed phrase has, and no sentence. */
function isSeedPhrase(value: string): boolean {
  const count = value.split(/[ ,]+/).length;
  return count % 3 === 0 && !sentenceWord.test(value);
}

/** Labels that lead to a value of a form of its own. */
const labels: readonly ContextRule[] = [
  contextRule(
    'seed mnemonic recovery wallet',
    `(?:seed|mnemonic|recovery|wallet)(?:[ -](?:phrase|words?))?[^\\w\\n]{0,4}(?:is|are)?[^\\w\\n]{0,4}(?<value>${word}(?:[ ,\\n]{1,3}${word}){11,24})`,
    'i',
  ),
  contextRule(
    'seed mnemonic recovery wallet',
    `(?:seed|mnemonic|recovery|wallet)[ -](?:phrase|words?)[^\\n:\\uFF1A]{0,60}[:\\uFF1A][ \\t]{0,4}(?<value>${word}(?:[ ,]{1,3}${word}){11,23})[ \\t.]{0,4}$`,
    'im',
    isSeedPhrase,
  ),
  contextRule(
    'code',
    `(?:recovery|backup|rescue|scratch|emergency|wiederherstellungs|récupération)[ -]?codes?[^\\n:\\uFF1A]{0,30}[:\\uFF1A]\\s{0,4}(?<value>${code}(?:[\\s,;]{1,4}(?:[-*][ \\t])?${code}){0,31})`,
    'i',
  ),
  contextRule(
    'code key',
    `(?:activation|unlock|license|licence|freischalt|aktivierungs|lizenz)[ -]?(?:code|key)[ \\t]{0,4}(?:[:=]|is|ist|lautet)[ \\t]{0,4}(?<value>${code})`,
    'i',
    isValueLike,
  ),
  contextRule(
    'otp 2fa mfa authenticator',
    '(?:otp|2fa|mfa|authenticator)[ -]?(?:seed|secret|key)[^\\n]{0,16}?(?<![A-Z0-9])(?<value>[A-Z2-7]{16,128})(?![A-Za-z0-9])',
    'i',
    (value) => /^[A-Z2-7]+$/.test(value),
  ),
  contextRule(
    'private',
    'private[ _-]?key[^\\n]{0,20}?(?<![0-9a-z])(?<value>(?:0x)?[0-9a-f]{64})(?![0-9a-z])',
    'i',
  ),
  contextRule(
    'pat',
    '(?<![\\w-])PAT[ \\t]{0,3}(?:[:=]|is|ist|est|es)?[ \\t]{0,3}(?<value>(?=[A-Za-z]{0,60}\\d)\\w{20,200})',
    '',
  ),
  contextRule(
    'cvc cvv csc',
    '(?<![\\w-])(?:cvc|cvv|csc)2?[ \\t]{0,3}(?:[:=]|is|ist)?[ \\t]{0,3}(?<value>\\d{3,4})(?!\\d)',
    'i',
  ),
  contextRule(
    'wifi wi-fi wlan ssid wpa psk',
    '(?:wi-?fi|wlan|ssid|wpa\\d?|psk)(?:[^\\n]{0,60}?(?:key|psk|pass))?["\']?[ \\t]{0,4}[:= \\t][ \\t]{0,4}["\']?(?<value>[^\\s"\';,]{8,63})',
    'i',
    isValueLike,
  ),
  // A label in a line of its own, its value in the next one.
  contextRule(
    'pass kennwort secret token key',
    `^[ \\t*#>-]{0,8}[\\w \\t-]{0,40}${name}[ \\t*:]{0,6}\\r?\\n(?:[ \\t]{0,8}\\r?\\n)?[ \\t*>\`]{0,8}(?<value>[^\\s\`]{6,400})[ \\t\`]{0,8}$`,
    'im',
    isValueLike,
  ),
];

/** Names of users with their passwords: `admin / …`, `user ada, password …`, `login as ada with …`. */
const logins: readonly ContextRule[] = [
  contextRule(
    'pass kennwort',
    '(?:user(?:name)?|login|benutzer(?:name)?)[: \\t]{1,4}[^\\s,;]{1,100}[,;]?[ \\t]{1,4}(?:(?:and|und|with|mit)[ \\t]{1,4}){0,2}(?:the[ \\t]{1,4})?(?:password|passwort|kennwort)[ \\t]{1,4}(?<value>[^\\s,;]{3,200})',
    'i',
    isNotDescription,
  ),
  contextRule(
    '/',
    '(?:log(?:ged)?[ -]?in|creds?|credentials|zugang\\w{0,10}|account|user(?:name)?)[^\\n/]{0,60}?[\\w.@+-]{2,60} / (?<value>[^\\s,;]{6,64})',
    'i',
    isValueLike,
  ),
  contextRule(
    'cred zugang login',
    '(?:creds?|credentials|zugangsdaten|login)[ \\t]{0,4}[:=][ \\t]{0,4}(?!see |in |are |from |the )[^\\s,;]{2,100}[ \\t,/|]{1,4}(?<value>[^\\s,;]{5,64})',
    'i',
    isValueLike,
  ),
  contextRule(
    'in',
    '(?<!\\w)(?:log(?:ged)?|sign(?:ed)?)[ -]?in as [^\\s]{1,60} (?:with|using|and) (?<value>[^\\s,;]{6,64})',
    'i',
    isValueLike,
  ),
  contextRule(
    'p: p= pw: pw= pass: pass=',
    '(?<!\\w)u(?:ser)?[:=] ?[^\\s,;]{1,60}[\\s,;/]{1,3}p(?:w|ass)?[:=] ?(?<value>[^\\s,;]{3,64})',
    'i',
    isValueLike,
  ),
  contextRule(
    'admin root postgres',
    '(?<![\\w/.:-])(?:admin|administrator|root|sysadmin|postgres)[:/](?<value>[^\\s,;:/@]{5,64})(?![/:\\w])',
    'i',
    isValueLike,
  ),
  contextRule(
    '@',
    '(?<![\\w/.:@-])[\\w.-]{2,40}:(?<value>[^\\s:/@"\'<>]{5,100})@(?!sha\\d)[a-z][\\w.-]{2,}',
    'i',
    isValueLike,
  ),
  // `login("ada", "…")`.
  contextRule(
    'login sign auth connect pdo',
    '(?:log_?in|sign_?in|authenticate|getConnection|connect|PDO)\\([^()\\n]{0,160}["\'],[ \\t]{0,4}["\'](?<value>[^"\'\\n]{5,200})["\'][ \\t]{0,4}\\)',
    'i',
    isValueLike,
  ),
  contextRule(
    'pass kennwort contraseña senha парол',
    '(?:password|passwort|kennwort|contraseña|senha|mot de passe|парол)[^\\n]{0,100}?(?<![a-zа-я])(?:new|old|neu|alt|nuev|antig|nov|nouv|ancien|vecchi|nuov|нов|стар)[a-zà-ÿа-я]{0,5}(?:[ \\t](?:one|is|was|ist|war|es|era|est|était|é|è))?(?:[ \\t]is)?[: \\t]{1,3}["\']?(?<value>[^\\s"\',;]{5,64})',
    'i',
    isValueLike,
  ),
  // `… (the password for ada)`.
  contextRule(
    '(',
    '(?<![^\\s"\'`])(?<value>[^\\s()"\'`]{5,64})["\'`]? \\((?:(?:the|new|old|our|my|das|neues?|unser) ){0,3}(?:password|passwort|kennwort|passphrase)(?![\\w-])',
    'i',
    isValueLike,
  ),
  // The old one of two.
  contextRule(
    'from von',
    '(?:password|passwort|kennwort|passphrase|pw)[ \\t]{1,4}(?:[\\w-]{1,20}[ \\t]{1,4}){0,4}(?:from|von)[ \\t]{1,4}(?<value>\\S{4,200})[ \\t]{1,4}(?:to|auf|zu|in)[ \\t]',
    'i',
    isValueLike,
  ),
];

/** A line about several secrets, each behind an arrow or a sign: `passwords: staging -> …, prod -> …`. */
const listPattern =
  /(?:passwords|passwörter|kennwörter|credentials|creds|zugangsdaten|пароли|mots de passe|contraseñas|senhas|密码)["'`*]{0,3}[ \t]{0,4}[:\uFF1A (](?<value>[^\n]{6,300})/dgi;
/** A block of YAML about several secrets. */
const blockPattern =
  /^[ \t]{0,40}(?:secrets|credentials|passwords)[ \t]{0,4}:[ \t]{0,4}\r?\n(?<value>(?:[ \t]{1,60}[\w.-]{1,60}[ \t]{0,4}:[^\n]{1,400}(?:\n|$)){1,40})/dgim;
const listed = /(?:->|→|[=:\uFF1A])[ \t]{0,4}(?<value>[^\s,;]{5,64})/g;

function findListedSecrets(text: string): Span[] {
  const spans: Span[] = [];
  for (const { indices } of [...text.matchAll(listPattern), ...text.matchAll(blockPattern)]) {
    const [from, to] = indices?.groups?.['value'] ?? [0, 0];
    for (const match of text.slice(from, to).matchAll(listed)) {
      const value = match.groups?.['value'] ?? '';
      const end = from + match.index + match[0].length;
      if (isValueLike(value) && !isPublicValue(value)) spans.push({ start: end - value.length, end });
    }
  }
  return spans;
}

const rules = [...formats, ...labels, ...logins];

/** Finds secrets that the format of a file, a program or a label identifies. */
export function findLabelledSecrets(text: string): Span[] {
  return [...findByRules(text, rules), ...findListedSecrets(text)];
}
