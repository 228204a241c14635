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
