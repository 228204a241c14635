/** The beginning of a text that is HTML, and a mark that it has. */
const htmlStart =
  /^\s{0,100}(?:<!doctype html|<(?:html|body|div|p|ul|ol|h[1-6]|table|blockquote|span|b|strong)[\s>])/i;
const htmlEnd = /<\/(?:html|body|div|p|ul|ol|li|h[1-6]|table|blockquote|span|b|strong)>/i;

const tagPattern = /<(?<end>\/?)(?<name>!--|!doctype|[a-z][a-z0-9]{0,15})(?:[\s/][^<>]{0,4000})?(?:--)?>/gi;
/** Elements whose content is no text. */
const hidden = new Set(['script', 'style', 'pre', 'head', 'template', 'svg']);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of HTML as lines, headings, list items and rows; any other text as it is. Linear. */
export function readHtml(text: string): string {
  if (!htmlStart.test(text) || !htmlEnd.test(text)) return text;
  const parts: string[] = [];
  let from = 0;
  let closing: string | null = null;
  for (const match of text.matchAll(tagPattern)) {
    const { end = '', name = '' } = match.groups ?? {};
    const tag = name.toLowerCase();
    if (closing === null) parts.push(plainText(text.slice(from, match.index)), separatorOf(tag, end !== ''));
    from = match.index + match[0].length;
    if (closing === null && end === '' && hidden.has(tag)) closing = tag;
    else if (tag === closing && end !== '') closing = null;
  }
  if (closing === null) parts.push(plainText(text.slice(from)));
  return parts.join('');
}

function plainText(part: string): string {
  return part
    .replace(/\s+/g, ' ')
    .replace(/&(?:(?<name>amp|lt|gt|quot|apos|nbsp)|#(?<code>\d{1,5}));/g, (...match) => {
      const { name, code } = match.at(-1) as { name?: string; code?: string };
      if (name !== undefined) return entities[name] ?? '';
      const character = Number(code);
      return character >= 32 && (character < 0xd800 || character > 0xdfff) && character < 0xffff
        ? String.fromCharCode(character)
        : '';
    });
}

/** What stands for the beginning and the end of an element. */
const separators = new Map<string, readonly [string, string]>([
  ['li', ['\n- ', '\n']],
  ['tr', ['\n|', '\n']],
  ['td', ['', '|']],
  ['th', ['', '|']],
  ...['br', 'ul', 'ol'].map((tag) => [tag, ['\n', '\n']] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, ['\n\n## ', '\n']] as const),
  ...['p', 'div', 'table', 'section', 'article', 'blockquote', 'body'].map(
    (tag) => [tag, ['\n\n', '\n\n']] as const,
  ),
]);

function separatorOf(tag: string, isEnd: boolean): string {
  return separators.get(tag)?.[isEnd ? 1 : 0] ?? '';
}
