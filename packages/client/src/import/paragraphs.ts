/** The paragraphs of a text, each of at most `maxBytes` in UTF-8: a longer one is cut behind a sentence, a word, or a character. */
export function paragraphsOf(text: string, maxBytes: number): string[] {
  return text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph) => cut(paragraph, maxBytes));
}

function cut(text: string, maxBytes: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (Buffer.byteLength(rest) > maxBytes) {
    const head = Buffer.from(rest)
      .subarray(0, maxBytes)
      .toString('utf8')
      .replace(/\uFFFD+$/, '');
    const end = Math.max(head.lastIndexOf('. ') + 1, head.lastIndexOf('\n'));
    const at =
      end > head.length / 2
        ? end
        : head.lastIndexOf(' ') > head.length / 2
          ? head.lastIndexOf(' ')
          : head.length;
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}
