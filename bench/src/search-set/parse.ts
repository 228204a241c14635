import { type QuestionKind, questionKinds } from './shapes.ts';

/** One paragraph of a data file: an entry and its questions. */
export interface Paragraph {
  /** The words of the first line: the kind of the entry; for a topic, also its type of subject. */
  head: string[];
  /** The text of an entry, or the wordings of a topic. */
  texts: string[];
  asks: { kind: QuestionKind; text: string }[];
}

/**
 * Parses paragraphs of the form
 *
 *     fact
 *     > text of an entry
 *     names ? a question that it answers
 *
 * that are separated by an empty line. Throws if a line has another form.
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
  if (texts.length === 0 || asks.length === 0)
    throw new Error(`A paragraph needs a text and a question: ${paragraph}`);
  return { head: head.split(' '), texts, asks };
}

function parseAsk(line: string): Paragraph['asks'][number] {
  const [name = '', text] = line.split(' ? ', 2);
  const kind = questionKinds.find((known) => known === name);
  if (kind === undefined || text === undefined) throw new Error(`Not a question: ${line}`);
  return { kind, text };
}
