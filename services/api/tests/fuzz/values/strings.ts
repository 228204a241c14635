import fc from 'fast-check';

/** A small set, so that texts repeat: equal entries, searches with hits, statements that extraction selects. */
const statements = [
  'We decided to use Postgres 16.',
  'Never log tokens.',
  'The user prefers tabs over spaces.',
  'Next step: write the migration for retryPolicy in src/retry_policy.ts.',
  'Alice: I moved to Lisbon in 2019. Bob: We agreed to meet on Friday.',
  '- must be signed\n- must never block\n\n# Heading\n\n```\ncode\n```\nThe build takes four minutes.',
  '我们决定使用 Postgres。必须签名。',
  'ユーザーは紅茶が好きです。',
  'คำสั่งนี้ต้องทำงานเสมอ',
  '우리는 금요일에 만나기로 했다.',
];

const hostile = [
  // Query languages
  `'; DROP TABLE scopes; --`,
  `" OR 1=1 --`,
  '$1 %s $' + '{x} {{x}} $$',
  `to_tsquery('a & !b') | "a" <-> b:*`,
  '(a+)+$ [^\\] .* \\d{1,99} (?<n>',
  '% _ \\ * ? ~ ^ AND OR NOT NEAR/2 field:value',
  '!!!',
  // Names with a meaning in a programming language
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '-0',
  '1e999',
  // Paths
  '../..',
  '..',
  '.',
  'a/b',
  'a%2Fb',
  '%00',
  '%',
  'a?b#c',
  'a;b=c',
  'a+b c',
  '\\\\host\\share',
  // Control, direction, white space
  'a\u0001b\u0007c\u001bd\u007fe\u009ff',
  '\u202eabc\u202c \u2066x\u2069 \u200e\u200f',
  '\u0009\u000a\u000b\u000c\u000d\u0020\u0085\u00a0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  '\u0085x\u0085',
  '\ufeffx\ufeff',
  '\u180e',
  '\u200b',
  '\u200d\u200c\u00ad',
  ' padded ',
  // Unicode
  'e\u0301 \u00e9 \u212b \u00c5',
  'a\u0315\u0300\u05ae\u0301',
  '\u1e9b\u0323 \ufb01 \u0344 \uf900',
  '\uac00 \u1100\u1161\u11a8',
  'İıſKß ΣΑΣ',
  '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪',
  '\ufffe\uffff\ufdd0\u{10ffff}\u{e0001}',
  '\ufffd',
  '\u0e33\u0eb3',
];

const repeated = ['a', 'é', '漢', '😀', 'e\u0301', '\u0344', '\ufdfa', ' ', 'a ', 'ß', 'ab1_', '\u0301'];

/** Generates strings of `min` to `max` code points without forbidden characters that match the pattern. */
export function strings(min: number, max: number, pattern: string | undefined): fc.Arbitrary<string> {
  if (pattern?.startsWith('^') === true) return matching(min, max, new RegExp(pattern, 'u'));
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...statements) },
    { weight: 4, arbitrary: fc.constantFrom(...hostile) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 24 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 24 }) },
  );
  const pieces = fc.oneof(
    { weight: 8, arbitrary: piece },
    { weight: 2, arbitrary: fc.array(piece, { minLength: 2, maxLength: 6 }).map((all) => all.join(' ')) },
    { weight: 1, arbitrary: longest(min, max) },
  );
  const suits = (text: string) => pattern === undefined || new RegExp(pattern).test(text);
  return pieces
    .map((text) => fit(text.replaceAll('\0', ''), min, max))
    .map((text) => (suits(text) ? text : fit(`x${text}`, min, max)));
}

/** Lengths at a limit or just below it. Without a declared limit, the limit of entry texts is used. */
function longest(min: number, max: number): fc.Arbitrary<string> {
  const undeclared = max === Number.POSITIVE_INFINITY;
  const counts = undeclared ? [2_730, 4_096, 8_191, 8_192, 8_193, 24_577] : [max, max - 1, min, min + 1];
  return fc
    .tuple(fc.constantFrom(...repeated), fc.constantFrom(...counts))
    .map(([unit, count]) => unit.repeat(Math.max(count, 1)));
}

function matching(min: number, max: number, pattern: RegExp): fc.Arbitrary<string> {
  return fc
    .stringMatching(pattern)
    .map((text) => fit(text, min, max))
    .filter((text) => pattern.test(text));
}

/** Truncates or pads a text to `min` to `max` code points. */
export function fit(text: string, min: number, max: number): string {
  const points = [...text];
  if (points.length > max) return points.slice(0, max).join('');
  return text + 'x'.repeat(Math.max(0, min - points.length));
}
