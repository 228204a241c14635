import { isDigestName } from './random-strings.ts';
import type { Span } from './spans.ts';

// Keys as hexadecimal digits that only the word `key` or `secret` identifies: `the key is 9f86…`, `encryption key 9f86…`.

/** 128, 192 or 256 bits. A commit id has 160, and a UUID has dashes. */
const hexRun =
  /(?<![\w+/=.@-])(?=[0-9a-f]{0,63}\d)(?=\d{0,63}[a-f])(?:[0-9a-f]{64}|[0-9a-f]{48}|[0-9a-f]{32})(?![\w+/=-])/gi;

const simpleNames = 'keys?|secrets?|clés?|claves?|chiavi?e?|chaves?|klucz|ключ|密钥|密鑰|金鑰|鍵|キー|키';
/** Names that are written as one word with the kind of the key: `Primärschlüssel`. */
const compoundNames = 'schlüssel|sleutel';
const names = `${simpleNames}|[\\p{L}-]{0,24}(?:${compoundNames})`;
/** What a key is for, or a remark: `key for the vault`, `key (hex)`. */
const owner =
  "(?<owner>[ \\t](?:for|of|für|von|vom|de|du|des|del)(?:[ \\t][\\p{L}'’-]{1,24}){1,4}|[ \\t]\\([^()]{1,20}\\))?";
const nameBefore = new RegExp(
  `(?<kind>[\\p{L}\\d]{0,24}[ _-])?(?<![\\p{L}\\d"'])(?<name>${names})${owner}(?:[ \\t]{0,3}(?:[:=\\uFF1A→]|=>|->)|[ \\t]{1,3}(?:is|ist|lautet|est|es|è|é|jest)(?:[ \\t](?:now|jetzt))?|は|是|为)?[ \\t]{0,3}["'\`(*]{0,3}$`,
  'iu',
);
/** `clauseEnd` is absent where the clause goes on: `… is the key to the outage`. */
const nameBehind = new RegExp(
  `["'\`)*]{0,3}[ \\t]{1,3}(?:is|as|ist|als)[ \\t]{1,3}(?:(?:the|our|my|its|a|an|der|unser|mein)[ \\t]{1,3})?(?:(?<kind>[\\p{L}\\d-]{1,24})[ \\t]{1,3})?(?<name>keys?|secrets?|[\\p{L}-]{0,24}schlüssel)(?![\\p{L}\\d])(?:${owner}(?<clauseEnd>["'\`)*]{0,3}[ \\t]{0,3}(?:[.,;:!?\\n\\r—–]|$|(?:and|but|so|und|aber)(?!\\p{L}))))?`,
  'iuy',
);

/** What a key that is no secret belongs to: `cache key`, `Primärschlüssel`. */
const publicKind = new RegExp(
  `(?<!\\p{Script=Latin})(?:cache|partition|prim(?:ary|är|aire|aria)|public|öffentlich|obje[ck]?t|idempoten(?:cy|ce|t|z)|dedup(?:e|lication)?|sort|sortier|foreign|fremd|join|lookup|mapp?|index|storage|s3|message|routing|unique|natural|surrogate|row|shard|group|translation|restore|hash|bucket|redis|content|file|build|artifact|job|memo|cursor|entity|item|record|document|blob|chunk|layer|image|snapshot|query|request|trace|correlation|span|config|registry|dictionary)(?:e?[dmnrs]|ing)?[ _-]{0,2}(?:${simpleNames}|${compoundNames})$`,
  'iu',
);

/** Where keys are no secrets: `The key 9f86… in Redis`, `Cache restored from key: 9f86…`. */
const publicPlace =
  /cache|redis|restor|bucket|partition|kafka|dynamo|(?<!\p{L})(?:table|column|row)s?(?!\p{L})/iu;

/** What a key is for that is a secret everywhere: `The encryption key of the bucket`. */
const secretKind = new RegExp(
  `crypt|chiffr|cifra|verschlüssel|(?<!\\p{L})(?:sign(?:ing|atur|ature)|master|haupt|privat|secret|geheim|hmac|aes|api[ _-]{1,2}(?:${simpleNames}|${compoundNames})(?!\\p{L}))`,
  'iu',
);

/** Characters before and behind a run that are read. */
const reach = 80;

/** Finds keys of hexadecimal digits beside their name. */
export function findHexKeys(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(hexRun)) {
    const span = { start: index, end: index + run.length };
    if (isSecretKey(text, span)) spans.push(span);
  }
  return spans;
}

/** Whether the words beside a run name it a key that is a secret. */
function isSecretKey(text: string, { start, end }: Span): boolean {
  const before = /[^\n]*$/.exec(text.slice(Math.max(0, start - reach), start))?.[0] ?? '';
  const foundBefore = nameBefore.exec(before);
  nameBehind.lastIndex = end;
  const found = foundBefore ?? nameBehind.exec(text);
  if (found === null) return false;
  const { kind = '', name = '', owner = '', clauseEnd } = found.groups ?? {};
  const label = `${kind.trim()} ${name}`;
  const isSecretKind = secretKind.test(label + owner);
  if (isDigestName(before) && !isSecretKind) return false;
  if (foundBefore === null && clauseEnd === undefined && !isSecretKind) return false;
  if (/^secret/i.test(name)) return true;
  if (publicKind.test(label) && !isSecretKind) return false;
  const behind = /^[^\n]*/.exec(text.slice(end, end + reach))?.[0] ?? '';
  return isSecretKind || !publicPlace.test(`${before} ${behind}`);
}
