import { parseSpeaker } from './speakers.ts';

/** A list item, or the lines of one paragraph. */
export interface Block {
  form: 'item' | 'paragraph';
  lines: string[];
  speaker: string | null;
  /** True for an item with an unticked check box, which is open work. */
  open: boolean;
}

const quoteMarks = /^(?:\s{0,3}>[ \t]?)+/;
// The patterns below expect trimmed lines.
const headingPattern = /^#{1,6}(?:\s|$)/;
const rulePattern = /^(?:[-*_=~#—]\s?){3,}$/;
const underline = /^(?:={2,}|-{2,})$/;
const tableRule = /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/;
const tableRow = /^\|(.*)\|$/;
const listMarkPattern =
  /^(?:[-*+•‣◦▪●·–—]\s+|\(?(?:\d{1,3}|[a-zA-Z])\)\s+|(?<number>\d{1,3})\.\s+|\d{1,3}[、\uFF0E\uFF09]\s*|[(\uFF08][一二三四五六七八九十]{1,3}[)\uFF09]\s*|[一二三四五六七八九十]{1,3}、\s*|[①-⑳]\s*)/u;
const checkBox = /^\[([ xX✓✔])\]\s+/;

/** Longest heading underlined by dashes, in characters. Dashes below a longer line are a rule after a paragraph. */
const headingLength = 80;

/** Splits lines into blocks, without headings, rules and table borders (spec 20 X2). */
export function splitBlocks(lines: readonly string[]): Block[] {
  const splitter = new BlockSplitter();
  for (const line of lines) splitter.take(line);
  return splitter.end();
}

class BlockSplitter {
  readonly #blocks: Block[] = [];
  #current: Block | null = null;
  #speaker: string | null = null;
  /** Whether the speaker has text. A name alone on its line stays the speaker after a blank line. */
  #spoken = false;

  take(line: string): void {
    const text = line.replace(quoteMarks, '').trim();
    if (text === '') this.#takeBlank();
    else if (headingPattern.test(text)) this.#takeHeading();
    else if (underline.test(text) && this.#isUnderlined(text)) this.#dropCurrent();
    else if (tableRule.test(text)) this.#dropCurrent();
    else if (rulePattern.test(text)) this.#close();
    else this.#takeText(text);
  }

  end(): Block[] {
    this.#close();
    return this.#blocks;
  }

  #takeBlank(): void {
    this.#close();
    if (this.#spoken) this.#speaker = null;
  }

  #takeHeading(): void {
    this.#close();
    this.#speaker = null;
  }

  #isUnderlined(text: string): boolean {
    const line = this.#current?.form === 'paragraph' ? this.#current.lines : [];
    if (line.length !== 1) return false;
    return text.includes('=') || (line[0] ?? '').length <= headingLength;
  }

  #dropCurrent(): void {
    this.#current = null;
  }

  #takeText(text: string): void {
    const row = tableRow.exec(text)?.[1];
    const mark = this.#listMark(text);
    if (row !== undefined) this.#begin('paragraph', row, false);
    else if (mark !== '') this.#takeItem(text.slice(mark.length));
    else this.#takeLine(text);
  }

  /** The list mark of a line, or an empty string. Inside a paragraph only `1.` begins a list, so `… Postgres` / `16. Then …` is none. */
  #listMark(text: string): string {
    const match = listMarkPattern.exec(text);
    const number = match?.groups?.['number'];
    const inParagraph = this.#current?.form === 'paragraph';
    return match === null || (inParagraph && number !== undefined && number !== '1') ? '' : match[0];
  }

  #takeItem(text: string): void {
    const box = checkBox.exec(text);
    this.#takeSpoken('item', box ? text.slice(box[0].length) : text, box?.[1] === ' ');
  }

  #takeLine(text: string): void {
    if (this.#current && parseSpeaker(text) === null) this.#current.lines.push(text);
    else this.#takeSpoken('paragraph', text, false);
  }

  #takeSpoken(form: Block['form'], text: string, open: boolean): void {
    const spoken = parseSpeaker(text);
    if (spoken === null) {
      this.#begin(form, text, open);
      return;
    }
    this.#close();
    this.#speaker = spoken.speaker;
    this.#spoken = false;
    if (spoken.rest !== '') this.#begin(form, spoken.rest, open);
  }

  #begin(form: Block['form'], text: string, open: boolean): void {
    this.#close();
    this.#current = { form, lines: [text.trim()], speaker: this.#speaker, open };
    this.#spoken = true;
  }

  #close(): void {
    if (this.#current) this.#blocks.push(this.#current);
    this.#current = null;
  }
}
