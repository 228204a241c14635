import MarkdownIt from 'markdown-it';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { Block, Inline, Item, Line } from '../../../src/reports/render/markdown.ts';

/** A node of a parsed document: its kind with its children, or with its text. */
export type Tree = readonly [kind: string, ...content: (Tree | string)[]];

/** The tree that a parser must read: that of the nodes which were written. */
export function treeOf(blocks: readonly Block[]): Tree[] {
  return blocks.map(blockTree);
}

function blockTree(block: Block): Tree {
  switch (block.kind) {
    case 'heading':
      return [`heading${block.level}`, ...inlines(block.line)];
    case 'quote':
      return ['quote', ['paragraph', ...inlines(block.line)]];
    case 'paragraph':
      return ['paragraph', ...inlines(block.line)];
    case 'list':
      return ['list', ...block.items.map(itemTree)];
    case 'table':
      return [
        'table',
        ['row', ...block.head.map((title): Tree => ['cell', ['text', title]])],
        ...block.rows.map(
          (row): Tree => ['row', ...row.map((cell): Tree => ['cell', ...inlines(cell, true)])],
        ),
      ];
  }
}

function itemTree({ line, nested }: Item): Tree {
  const inner = nested.map((one): Tree => ['item', ['paragraph', ...inlines(one)]]);
  return [
    'item',
    ['paragraph', ...inlines(line)],
    ...(inner.length === 0 ? [] : [['list', ...inner] as Tree]),
  ];
}

function inlines(line: Line, isCell = false): Tree[] {
  return mergeTexts(line.map((inline) => inlineTree(inline, isCell)));
}

function inlineTree(inline: Inline, isCell: boolean): Tree {
  switch (inline.kind) {
    case 'words':
    case 'text':
      return ['text', inline.text];
    case 'link':
      return ['link', inline.href, ['text', inline.text]];
    case 'code': {
      // Entities stay as they are in a code span, and backslashes before a pipe are doubled in a cell.
      const content = inline.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return ['code', isCell ? content.replace(/(\\*)\|/g, '$1$1|') : content];
    }
  }
}

/** Parsers split a text at its escapes. */
function mergeTexts(trees: readonly Tree[]): Tree[] {
  const merged: Tree[] = [];
  for (const tree of trees) {
    const last = merged.at(-1);
    if (tree[0] === 'text' && last?.[0] === 'text')
      merged[merged.length - 1] = ['text', `${last[1]}${tree[1]}`];
    else merged.push(tree);
  }
  return merged;
}

/** The kinds of nodes alone, without their texts. */
export function shapeOf(trees: readonly (Tree | string)[]): unknown[] {
  return trees.map((tree) =>
    typeof tree === 'string' ? '' : [tree[0], ...shapeOf(tree.slice(1) as (Tree | string)[])],
  );
}

interface MdastNode {
  type: string;
  depth?: number;
  value?: string;
  url?: string;
  children?: MdastNode[];
}

const mdastKinds: Record<string, string> = {
  blockquote: 'quote',
  listItem: 'item',
  tableRow: 'row',
  tableCell: 'cell',
  inlineCode: 'code',
};

/** Parses with micromark, the parser of remark. */
export function parseWithMicromark(markdown: string): Tree[] {
  const root: MdastNode = fromMarkdown(markdown, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  return (root.children ?? []).map(fromMdast);
}

function fromMdast({ type, depth, value, url, children = [] }: MdastNode): Tree {
  const kind = `${mdastKinds[type] ?? type}${depth ?? ''}`;
  const own = [value, url].filter((text) => text !== undefined);
  return [kind, ...own, ...mergeTexts(children.map(fromMdast))];
}

const markdownIt = new MarkdownIt('commonmark').enable('table');
// The link targets as they were written.
markdownIt.normalizeLink = (url) => url;
markdownIt.validateLink = () => true;

const tokenKinds: Record<string, string> = {
  blockquote: 'quote',
  bullet_list: 'list',
  list_item: 'item',
  tr: 'row',
  th: 'cell',
  td: 'cell',
  code_inline: 'code',
  text_special: 'text',
};

type Token = ReturnType<typeof markdownIt.parse>[number];

/** Parses with markdown-it. */
export function parseWithMarkdownIt(markdown: string): Tree[] {
  return fromTokens(markdownIt.parse(markdown, {}));
}

function fromTokens(tokens: readonly Token[]): Tree[] {
  const builder = new TreeBuilder();
  for (const token of tokens) builder.add(token);
  return builder.root;
}

/** Nests a flat list of tokens. */
class TreeBuilder {
  readonly root: Tree[] = [];
  readonly #open: { kind: string; target: string[]; children: Tree[] }[] = [];

  add(token: Token): void {
    const name = token.type.replace(/_(open|close)$/, '');
    // The rows of a table stand in it directly.
    if (name === 'thead' || name === 'tbody') return;
    if (token.nesting === 1) this.#begin(name, token);
    else if (token.nesting === -1) this.#end();
    else if (token.type === 'inline') this.#append(...mergeTexts(fromTokens(token.children ?? [])));
    else this.#append([tokenKinds[name] ?? name, token.content]);
  }

  #begin(name: string, token: Token): void {
    const level = name === 'heading' ? token.tag.slice(1) : '';
    const href = token.attrGet('href');
    this.#open.push({
      kind: `${tokenKinds[name] ?? name}${level}`,
      target: href === null ? [] : [String(href)],
      children: [],
    });
  }

  #end(): void {
    const closed = this.#open.pop();
    if (closed === undefined) throw new Error('A token closes nothing.');
    this.#append([closed.kind, ...closed.target, ...mergeTexts(closed.children)]);
  }

  #append(...trees: Tree[]): void {
    (this.#open.at(-1)?.children ?? this.root).push(...trees);
  }
}
