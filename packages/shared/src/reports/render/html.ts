import type { Block, Inline, Item, Line } from './markdown.ts';

/** Writes nodes as HTML, a line each (spec 30 §4.11.6). Stored text is the text of a `bdi` or a `code`, or an `href`. */
export function writeHtml(blocks: readonly Block[]): string {
  return blocks.map((block) => `${writeBlock(block)}\n`).join('');
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'heading': {
      const id = block.id === undefined ? '' : ` id="${block.id}"`;
      return `<h${block.level}${id}>${writeLine(block.line)}</h${block.level}>`;
    }
    case 'quote':
      return `<blockquote><p>${writeLine(block.line)}</p></blockquote>`;
    case 'paragraph':
      return `<p>${writeLine(block.line)}</p>`;
    case 'list':
      return `<ul>\n${block.items.map(writeItem).join('\n')}\n</ul>`;
    case 'table': {
      const head = block.head.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join('');
      const rows = block.rows.map(
        (row) => `<tr>${row.map((cell) => `<td>${writeLine(cell)}</td>`).join('')}</tr>`,
      );
      // The div scrolls sideways, so the keyboard must reach it.
      return `<div tabindex="0"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table></div>`;
    }
  }
}

function writeItem({ line, nested }: Item): string {
  if (nested.length === 0) return `<li>${writeLine(line)}</li>`;
  const inner = nested.map((one) => `<li>${writeLine(one)}</li>`).join('');
  return `<li>${writeLine(line)}<ul>${inner}</ul></li>`;
}

function writeLine(line: Line): string {
  return line.map(writeInline).join('');
}

function writeInline(inline: Inline): string {
  const text = escapeHtml(inline.text);
  switch (inline.kind) {
    case 'words':
      return text;
    case 'text':
      return `<bdi>${text}</bdi>`;
    case 'code':
      return `<code>${text}</code>`;
    case 'link':
      return `<a href="${escapeHtml(inline.href)}" rel="noopener noreferrer nofollow"><bdi>${text}</bdi></a>`;
  }
}

/** Escapes text for an element or for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
