// The nodes of a report as a document (spec 30 §4.9.7). One template builds them; Markdown and the page are two ways to write them.

/** A part of a line. Stored text is only ever the whole text of a `text`, a `code` or a `link`, cleaned by `cleanText`. */
export type Inline =
  | { kind: 'words'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; text: string; href: string };

/** One line: the text of a heading, an item, a cell or a paragraph. */
export type Line = readonly Inline[];

/** An item of a list. */
export interface Item {
  line: Line;
  /** The items of the nested list. */
  nested: readonly Line[];
}

/** A node of the top level. `id` is the anchor of a heading on the page. */
export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3 | 4; line: Line; id?: string }
  | { kind: 'quote'; line: Line }
  | { kind: 'paragraph'; line: Line }
  | { kind: 'list'; items: readonly Item[] }
  | { kind: 'table'; head: readonly string[]; rows: readonly (readonly Line[])[] };

/**
 * Writes nodes as CommonMark with the tables of GFM, one blank line between two nodes of the top level, and a line feed at the end
 * (spec 30 §4.9). No stored text can become a node of its own.
 */
export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks.map((block) => `${writeBlock(block)}\n`).join('\n');
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${writeLine(block.line)}`;
    case 'quote':
      return `> ${writeLine(block.line)}`;
    case 'paragraph':
      return writeLine(block.line);
    case 'list':
      return block.items.map(writeItem).join('\n');
    case 'table':
      return [
        writeRow(block.head),
        writeRow(block.head.map(() => '---')),
        ...block.rows.map((row) => writeRow(row.map(writeCell))),
      ].join('\n');
  }
}

function writeItem({ line, nested }: Item): string {
  return [`- ${writeLine(line)}`, ...nested.map((one) => `  - ${writeLine(one)}`)].join('\n');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function writeLine(line: Line): string {
  return line.map(writeInline).join('');
}

/** A cell ends at a `|` without a backslash before it, also in a code span. */
function writeCell(line: Line): string {
  return line
    .map((inline) => (inline.kind === 'code' ? escapePipes(writeInline(inline)) : writeInline(inline)))
    .join('');
}

function escapePipes(text: string): string {
  return text.replace(/(\\*)\|/g, '$1$1\\|');
}

function writeInline(inline: Inline): string {
  switch (inline.kind) {
    case 'words':
      return inline.text;
    case 'text':
      return escapeText(inline.text);
    case 'code':
      return codeSpan(inline.text);
    case 'link':
      return `[${escapeText(inline.text)}](<${inline.href.replaceAll('&', '&amp;')}>)`;
  }
}

/** Escapes each character that has a meaning in Markdown or a usual extension. Writes `&`, `<`, `>` and `"` as entities. */
function escapeText(text: string): string {
  return escapeTags(text)
    .replaceAll('"', '&quot;')
    .replace(/[\\`*_{}[\]()#+\-.!|~:@$^=]/g, '\\$&');
}

function escapeTags(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A code span whose fence is longer than any run of backticks inside. */
function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const content = escapeTags(text);
  if (runs.length === 0) return `\`${content}\``;
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1);
  return `${fence} ${content} ${fence}`;
}
