/** Removes the control sequences of terminals, which are no text (spec 25 Q1, Q7). */

const esc = '\u001B';
const bell = '\u0007';
const backspace = '\b';
/** The 8-bit form of the escape character and a bracket. */
const csi = '\u009B';
/** The picture of the escape character. */
const picture = '\u241B';

/** The escape character: itself, its picture, and as logs and JSON escape it. */
const anyEscape = String.raw`(?:[${esc}${picture}]|\^\[|\\x1[bB]|\\u001[bB]|\\u\{1[bB]\}|\\0?33|\\e)`;

/** Characters of a string parameter. The limit keeps an unfinished sequence from taking long. */
const parameter = `[^${bell}${esc}]{0,2048}`;

// Fast path: few texts have an escape character.
const mayHaveControls = new RegExp(String.raw`[${esc}${picture}${csi}${backspace}]|\^\[|\\[xu0e3]`);

/** Colors and other attributes (SGR), erasing up to the end of the line, and hyperlinks (OSC 8): they can stand inside a word. */
const attributes = new RegExp(
  String.raw`(?:${anyEscape}\[|${csi})(?:[0-9;:]*m|0?K)|${anyEscape}\]8;${parameter}(?:${bell}|${anyEscape}\\)`,
  'g',
);

/** Every other control sequence (ECMA-48 CSI, OSC and two-character ones): it moves the cursor, so it separates words. */
const others = new RegExp(
  [
    String.raw`(?:[${esc}${picture}]\[|${csi})[0-?]{0,64}[ -\/]{0,8}[@-~]`,
    String.raw`${esc}[\]PX^_]${parameter}(?:${bell}|${esc}\\)?`,
    String.raw`${esc}[ -\/]{0,4}[0-~]`,
  ].join('|'),
  'g',
);

/** A letter and a backspace: old programs print bold and underlined letters twice in one place. */
const overstrike = new RegExp(`[^\\n]${backspace}`, 'g');

/** The text without control sequences of terminals. Takes any string, in linear time. */
export function stripTerminalControls(text: string): string {
  if (!mayHaveControls.test(text)) return text;
  return text.replace(attributes, '').replace(others, ' ').replace(overstrike, '');
}
