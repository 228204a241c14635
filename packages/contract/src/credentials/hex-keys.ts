import type { Span } from './spans.ts';

// Keys as hexadecimal digits that only the word `key` or `secret` identifies: `the key is 9f86…`, `encryption key 9f86…`.

/** 128, 192 or 256 bits. A commit id has 160, and a UUID has dashes. */
const hexRun =
  /(?<![\w+/=.@-])(?=[0-9a-f]{0,63}\d)(?=\d{0,63}[a-f])(?:[0-9a-f]{64}|[0-9a-f]{48}|[0-9a-f]{32})(?![\w+/=-])/gi;

const names =
  'keys?|secrets?|[\\p{L}-]{0,24}schlüssel|clés?|claves?|chiavi?e?|chaves?|[\\p{L}-]{0,24}sleutel|klucz|ключ|密钥|密鑰|金鑰|鍵|キー|키';
/** What a key is for, or a remark: `key for the vault`, `key (hex)`. */
const owner =
  "(?:[ \\t](?:for|of|für|von|vom|de|du|des|del)(?:[ \\t][\\p{L}'’-]{1,24}){1,4}|[ \\t]\\([^()]{1,20}\\))?";
const nameBefore = new RegExp(
  `(?<kind>[\\p{L}\\d]{0,24}[ _-])?(?<![\\p{L}\\d"'])(?<name>${names})${owner}(?:[ \\t]{0,3}(?:[:=\\uFF1A→]|=>|->)|[ \\t]{1,3}(?:is|ist|lautet|est|es|è|é|jest)(?:[ \\t](?:now|jetzt))?|は|是|为)?[ \\t]{0,3}["'\`(*]{0,3}$`,
  'iu',
);
const nameBehind =
  /^["'`)*]{0,3}[ \t]{1,3}(?:is|as|ist|als)[ \t]{1,3}(?:(?:the|our|my|its|a|an|der|unser|mein)[ \t]{1,3})?(?:(?<kind>[\p{L}\d-]{1,24})[ \t]{1,3})?(?<name>keys?|secrets?|[\p{L}-]{0,24}schlüssel)(?![\p{L}\d])/iu;

/** What a key that is no secret belongs to: `cache key`, `Primärschlüssel`. */
const publicKind =
  /(?:cache|partition|prim(?:ary|är|aire|aria)|public|öffentlich|objec?k?t|idempoten|dedup|sort|foreign|fremd|lookup|map|index|storage|s3|message|routing|unique|natural|surrogate|row|shard|group|translation|restore|hash|bucket|redis|content|file|build|artifact|job|memo|cursor|entity|item|record|document|blob|chunk|layer|image|snapshot|query|request|trace|correlation|span|config|registry|dictionary)/iu;

/** Where keys are no secrets: `The key 9f86… in Redis`, `Cache restored from key: 9f86…`. */
const publicPlace =
  /cache|redis|restor|bucket|partition|kafka|dynamo|(?<!\p{L})(?:table|column|row)s?(?!\p{L})/iu;

/** Characters before and behind a run that are read. */
const reach = 80;

/** Finds keys of hexadecimal digits beside their name. */
export function findHexKeys(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(hexRun)) {
    const end = index + run.length;
    const before = /[^\n]*$/.exec(text.slice(Math.max(0, index - reach), index))?.[0] ?? '';
    const behind = /^[^\n]*/.exec(text.slice(end, end + reach))?.[0] ?? '';
    const found = nameBefore.exec(before) ?? nameBehind.exec(behind);
    if (found === null) continue;
    const { kind = '', name = '' } = found.groups ?? {};
    const isPublic = publicPlace.test(`${before} ${behind}`) || publicKind.test(`${kind}${name}`);
    if (/^secret/i.test(name) || !isPublic) spans.push({ start: index, end });
  }
  return spans;
}
