// The rule for hidden characters without its shapes: what loads this loads no validation library.

/**
 * Kinds of hidden characters:
 *
 * - `tag`: U+E0000 to U+E007F, which can spell a text that nobody sees
 * - `bidirectional`: controls that change the order of what is seen
 * - `zero_width`: spaces, joiners and byte-order marks without a width
 * - `variation_selector`: choose a form of the character before them
 * - `control`: controls but tab, LF and CR LF
 * - `space`: spaces but U+0020 and U+3000
 * - `other`: all else that Unicode lets a renderer leave out, separators of lines and paragraphs, annotation marks, and the Braille blank
 */
export const hiddenKinds = [
  'tag',
  'bidirectional',
  'zero_width',
  'variation_selector',
  'control',
  'space',
  'other',
] as const;

export type HiddenKind = (typeof hiddenKinds)[number];

/** How many hidden characters of each kind a text has. */
export type HiddenCounts = Record<HiddenKind, number>;

/** Kinds that no path of a package may have. Controls and spaces have path rules of their own. */
export const hiddenKindsOfPaths: ReadonlySet<HiddenKind> = new Set(
  hiddenKinds.filter((kind) => kind !== 'control' && kind !== 'space'),
);

/** A run of one character that readers cannot see, or the text between two runs. */
export type TextPart =
  | { hidden: false; text: string }
  | { hidden: true; text: string; kind: HiddenKind; code: string; count: number };

const ignorable = String.raw`\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb`;
const hidden = String.raw`[${ignorable}[\p{Cc}--[\t\n\r]][\p{Zs}--[\u0020\u3000]]]|\r(?!\n)`;

const run = String.raw`(?<hidden>(?<one>${hidden})\k<one>*)`;

/**
 * Sequences of emoji need joiners and variation selectors, and are matched first; those of tags can carry a hidden text. The look-ahead
 * passes over emoji without hidden characters: matching all sequences is slow.
 */
const emojiOrRun = new RegExp(
  String.raw`${run}|(?=\p{Emoji}\p{Emoji_Modifier}?[\u200d\ufe0f])[\p{RGI_Emoji}--\p{RGI_Emoji_Tag_Sequence}]`,
  'gv',
);

/**
 * Limit of the emoji and runs of one text that are told apart. In the rest of the text, joiners and selectors of emoji count as hidden: a
 * hostile text of 4 MiB would otherwise take seconds.
 */
const maxEmojiMatches = 20_000;

const runAlone = new RegExp(run, 'gv');

const isHidden = new RegExp(hidden, 'v');

/** Splits a text into runs of hidden characters and what is between them. The parts together are the text. */
export function* splitHiddenCharacters(text: string): Generator<TextPart, void> {
  let end = 0;
  for (const run of findRuns(text)) {
    if (run.index > end) yield { hidden: false, text: text.slice(end, run.index) };
    end = run.index + run.part.text.length;
    yield run.part;
  }
  if (end < text.length) yield { hidden: false, text: text.slice(end) };
}

/** Counts the hidden characters of a text, and adds them to `counts`. */
export function countHiddenCharacters(
  text: string,
  counts: HiddenCounts = noHiddenCharacters(),
): HiddenCounts {
  for (const { part } of findRuns(text)) counts[part.kind] += part.count;
  return counts;
}

export function noHiddenCharacters(): HiddenCounts {
  return { tag: 0, bidirectional: 0, zero_width: 0, variation_selector: 0, control: 0, space: 0, other: 0 };
}

/** Draws the hidden characters of a text as codes: `a<U+200B>b`, and a run of five as `<U+200B ×5>`. */
export function drawHiddenCharacters(text: string): string {
  return drawParts(splitHiddenCharacters(text));
}

function drawParts(parts: Iterable<TextPart>): string {
  let drawn = '';
  for (const part of parts) {
    if (!part.hidden) drawn += part.text;
    else drawn += `<${part.code}${part.count === 1 ? '' : ` ×${part.count}`}>`;
  }
  return drawn;
}

/** The text that the tags of a text spell in ASCII, such as `run it`. */
export function readTags(text: string): string {
  return [...text.matchAll(/[\u{e0020}-\u{e007e}]/gu)]
    .map(([tag]) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))
    .join('');
}

function* findRuns(text: string): Generator<{ index: number; part: TextPart & { hidden: true } }, void> {
  // Most texts have none, and need not be searched for emoji.
  if (!isHidden.test(text)) return;
  let end = 0;
  for (let matches = 1; ; matches += 1) {
    const pattern = matches <= maxEmojiMatches ? emojiOrRun : runAlone;
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    if (match === null) return;
    const { 0: found, index, groups } = match;
    end = index + found.length;
    const one = groups?.['one'];
    if (one === undefined) continue;
    const { kind, code } = describe(one);
    yield { index, part: { hidden: true, text: found, kind, code, count: found.length / one.length } };
  }
}

/** Descriptions of the characters that were found, at most as many as there are hidden characters. */
const described = new Map<string, { kind: HiddenKind; code: string }>();

function describe(character: string): { kind: HiddenKind; code: string } {
  const known = described.get(character);
  if (known !== undefined) return known;
  const description = { kind: kindOf(character), code: codeOf(character) };
  described.set(character, description);
  return description;
}

const tag = /^[\u{e0000}-\u{e007f}]/u;
const bidirectional = /^\p{Bidi_Control}/u;
const zeroWidth = /^[\u180e\u200b-\u200d\u2060\ufeff]/u;
const variationSelector = /^\p{Variation_Selector}/u;
const control = /^\p{Cc}/u;
const space = /^\p{Zs}/u;

function kindOf(character: string): HiddenKind {
  if (tag.test(character)) return 'tag';
  if (bidirectional.test(character)) return 'bidirectional';
  if (zeroWidth.test(character)) return 'zero_width';
  if (variationSelector.test(character)) return 'variation_selector';
  if (control.test(character)) return 'control';
  return space.test(character) ? 'space' : 'other';
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
