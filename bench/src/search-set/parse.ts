import { type QuestionKind, questionKinds } from './shapes.ts';

/** One paragraph of a data file: what is remembered, and what is asked about it. */
export interface Paragraph {
  /** The kind of the entry, and whatever stands behind it. */
  head: string[];
  /** Texts of an entry; of one that is generated, its wordings. */
  texts: string[];
  asks: { kind: QuestionKind; text: string }[];
}

/**
 * Reads paragraphs of the form
 *
 *     fact
 *     > text of an entry
 *     names ? a question that it answers
 *
 * with an empty line between them. Throws where a line is of another form.
 */
export function parseParagraphs(data: string): Paragraph[] {
  return data
    .trim()
    .split(/\n{2,}/)
    .map(parseParagraph);
}

function parseParagraph(paragraph: string): Paragraph {
  const [head = '', ...lines] = paragraph.split('\n');
  const texts = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
  const asks = lines.filter((line) => !line.startsWith('> ')).map(parseAsk);
  if (texts.length === 0 || asks.length === 0) throw new Error(`Nothing is said or asked: ${paragraph}`);
  return { head: head.split(' '), texts, asks };
}

function parseAsk(line: string): Paragraph['asks'][number] {
  const [name = '', text] = line.split(' ? ', 2);
  const kind = questionKinds.find((known) => known === name);
  if (kind === undefined || text === undefined) throw new Error(`Not a question: ${line}`);
  return { kind, text };
}
