/**
 * Characters that a reader cannot see or that change the order of what is seen: all that Unicode lets a renderer ignore (zero-width, soft
 * hyphen, tags, variation selectors, Hangul fillers, bidirectional controls), separators of lines and paragraphs, annotation marks, and the
 * Braille blank. Sequences of emoji need joiners and variation selectors and are matched first; those of tags can carry a hidden text.
 */
const emojiOrHidden =
  /(?<hidden>[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb])|[\p{RGI_Emoji}--\p{RGI_Emoji_Tag_Sequence}]/gv;

/** Returns the code of the first hidden character of a text, such as `U+200B`, or undefined. */
export function findHiddenCharacter(text: string): string | undefined {
  for (const { groups } of text.matchAll(emojiOrHidden)) {
    const hidden = groups?.['hidden'];
    if (hidden !== undefined) return codeOf(hidden);
  }
  return undefined;
}

/** Draws the hidden characters of a text as codes: `a<U+200B>b`. */
export function drawHiddenCharacters(text: string): string {
  return text.replace(emojiOrHidden, (match, hidden: string | undefined) =>
    hidden === undefined ? match : `<${codeOf(hidden)}>`,
  );
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
