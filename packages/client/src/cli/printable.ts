/** Controls of terminals (C0, DEL, C1) but tab and line feed, and controls of writing direction. */
const controls = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Stored text for a terminal: controls become visible escapes, so that no text moves the cursor or hides itself. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(controls, toEscape);
}

/** The same on one line, cut to `limit` characters. */
export function printableLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const line = [
    ...printable(text)
      .replace(/[\s\u2028\u2029]+/g, ' ')
      .trim(),
  ];
  return line.length <= limit ? line.join('') : `${line.slice(0, limit - 1).join('')}…`;
}

/** JSON without raw controls. It parses to the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    toEscape,
  );
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
