import type { KnownKind } from './kinds.ts';
import { kindOfName } from './sections.ts';
import { isPlanned, parseSpeaker, parseStampedName, type SpokenLine } from './speakers.ts';

/** A list item, the row of a table, or the lines of one paragraph. */
export interface Block {
  form: 'item' | 'row' | 'paragraph';
  lines: string[];
  speaker: string | null;
  /** True for an item with an unticked check box, which is open work. */
  open: boolean;
  /** Kind that the heading or the lead-in above an item names; null without one (spec 25 Q14). */
  kind: KnownKind | null;
}

const quoteMarks = /^(?:\s{0,3}>[ \t]?)+/;
// The patterns below expect trimmed lines.
const headingPattern = /^#{1,6}(?:\s|$)/;
const rulePattern = /^(?:[-*_=~#—]\s?){3,}$/;
const underline = /^(?:={2,}|-{2,})$/;
const tableRule = /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/;
const tableRow = /^\|(.*)\|$/;
const listMarkPattern =
  /^(?:[-*+•‣◦▪●·–—]\s+|[・･]\s*|\(?(?:\d{1,3}|[a-zA-Z])\)\s+|(?<number>\d{1,3})\.\s+|\d{1,3}[、\uFF0E\uFF09]\s*|[(\uFF08][一二三四五六七八九十]{1,3}[)\uFF09]\s*|[一二三四五六七八九十]{1,3}、\s*|[①-⑳]\s*)/u;
const checkBox = /^\[([ xX✓✔])\]\s+/;
/** A name in brackets or behind a mark, without a colon: `【決定事項】`, `■ Beschlüsse`, `**Decisions**`. */
const markedName =
  /^(?:【[^【】]{1,40}】|〔[^〔〕]{1,40}〕|<[^<>]{1,40}>|[■◆●▼◇□▶]\s*\S.{0,39}|(?:\*\*|__)[^*_]{1,40}(?:\*\*|__))$/u;
const timeAlone = /^[[(]?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?$/u;
/** A comparison at the beginning of a wrapped line is no quote: `> 500 ms`. */
const comparison = /^\s*>\s*\d/;
const sentenceEnd = /[.!?:;…。！？：][)\]"'”»」*_]*$/u;
/** A label begins with a capital letter, or one of a script without them. */
const labelStart = /^[*_]{0,3}[\p{Lu}\p{Lt}\p{Lo}]/u;
const leadIn = /^[*_]{0,3}[^:\uFF1A]{2,60}[:\uFF1A][*_]{0,3}$/u;

/** A line that says what the steps below it are for: `To add a dependency:`. Without it nobody finds them. */
const purposeLead =
  /^[*_]{0,2}(?:(?:To|How to|In order to) \p{L}|Um [^:]{3,80} zu \p{L}|Pour \p{L}|Para \p{L}|要|为了|為了|若要|如何|怎么|[^:\uFF1A]{2,40}(?:するには|手順|方法|步骤|步驟))[^:\uFF1A]{0,100}[:\uFF1A][*_]{0,2}$/u;

/** Longest heading underlined by dashes, in characters. Dashes below a longer line are a rule after a paragraph. */
const headingLength = 80;

/** Fewest lines with a name and a time that make a text a copied chat. */
const leastStampedNames = 2;

/** The speakers of a copied chat, by the numbers of the lines that name them with a time. Each has a text directly below it. */
function stampedNames(lines: readonly string[]): Map<number, string> {
  const bare = (line = '') => line.replace(quoteMarks, '').trim();
  const names = new Map<number, string>();
  for (const [at, line] of lines.entries()) {
    const speaker = parseStampedName(bare(line));
    const next = bare(lines[at + 1]);
    const isSpeaker = speaker !== null && !isPlanned(speaker);
    if (isSpeaker && next !== '' && parseStampedName(next) === null) names.set(at, speaker);
  }
  return names.size < leastStampedNames ? new Map() : names;
}

/** The cells of a table row, without the blanks that align them. */
function joinCells(row: string): string {
  return row
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .join(' | ');
}

/** Splits lines into blocks, without headings, rules and table borders (spec 20 X2). */
export function splitBlocks(lines: readonly string[]): Block[] {
  const splitter = new BlockSplitter(lines);
  for (const line of lines) splitter.take(line);
  return splitter.end();
}

class BlockSplitter {
  readonly #lines: readonly string[];
  readonly #stampedNames: Map<number, string>;
  #at = -1;
  /** Indentation of the current line, and of the mark of the last item, in characters. */
  #indent = 0;
  #itemIndent = 0;
  #lowerWords: Set<string> | null = null;
  readonly #blocks: Block[] = [];
  #current: Block | null = null;
  #speaker: string | null = null;
  /** Whether the speaker has text. A name alone on its line stays the speaker after a blank line. */
  #spoken = false;
  /** Kind that the heading names, and the one of the lead-in line; the lead-in ends with its list. */
  #headingKind: KnownKind | null = null;
  #leadKind: KnownKind | null = null;
  #isAfterBlank = false;
  /** The last block, which can be the title of a list; null behind a heading, a rule or a speaker. */
  #title: Block | null = null;
  /** Number of the last item (not a number for another mark), and the list that a label interrupts. */
  #number = Number.NaN;
  #openList: { next: number; kind: KnownKind | null } | null = null;
  /** Number of quote marks before the last line: the answer and what it quotes are separate paragraphs. */
  #quoted = 0;
  /** The line that says what the next list is for, without its mark; null without one. */
  #purpose: string | null = null;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#stampedNames = stampedNames(lines);
  }

  take(line: string): void {
    const unquoted = line.replace(quoteMarks, '');
    const text = unquoted.trim();
    this.#at += 1;
    this.#indent = unquoted.search(/\S/);
    const stamped = this.#stampedNames.get(this.#at);
    const quoted = quoteMarks.exec(line)?.[0].replace(/[^>]/g, '').length ?? 0;
    if (!comparison.test(line)) this.#takeQuoted(quoted, text);
    if (text === '') this.#takeBlank();
    else if (stamped !== undefined) this.#takeStamped(stamped);
    else if (headingPattern.test(text)) this.#takeHeading(text);
    else if (underline.test(text) && this.#isUnderlined(text)) this.#takeUnderlined();
    else if ((leadIn.test(text) || markedName.test(text)) && kindOfName(text) !== null)
      this.#takeLeadIn(text);
    else if (this.#isBelowSpeaker() && timeAlone.test(text)) return;
    else if (tableRule.test(text)) this.#dropCurrent();
    else if (rulePattern.test(text)) this.#takeRule();
    else this.#takeText(text);
  }

  end(): Block[] {
    this.#close();
    return this.#blocks;
  }

  /** A quoted line begins a paragraph, unless it continues a sentence: mail programs mark all lines of a wrapped sentence as quoted, or only some. */
  #takeQuoted(marks: number, text: string): void {
    const isNew =
      sentenceEnd.test(this.#current?.lines.at(-1) ?? '') ||
      /^[*_]{0,3}\p{Lu}/u.test(text) ||
      listMarkPattern.test(text);
    if (marks !== this.#quoted && isNew) this.#close();
    this.#quoted = marks;
  }

  #isBelowSpeaker(): boolean {
    return this.#current === null && this.#speaker !== null && !this.#spoken;
  }

  #takeRule(): void {
    this.#close();
    this.#title = null;
  }

  #takeBlank(): void {
    this.#close();
    this.#openList = null;
    this.#isAfterBlank = true;
    if (this.#spoken) this.#speaker = null;
  }

  #takeHeading(text: string): void {
    this.#close();
    this.#title = null;
    this.#speaker = null;
    this.#headingKind = kindOfName(text);
    this.#leadKind = null;
    this.#purpose = null;
  }

  #takeUnderlined(): void {
    const name = this.#current?.lines[0] ?? '';
    this.#dropCurrent();
    this.#title = null;
    this.#headingKind = kindOfName(name);
    this.#leadKind = null;
  }

  /** A line such as `Decisions:` names the kind of the list or the lines below it. */
  #takeLeadIn(text: string): void {
    this.#close();
    this.#leadKind = kindOfName(text);
    this.#purpose = null;
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
    if (mark === '' && this.#isBesideItem() && leadIn.test(text) && labelStart.test(text))
      this.#endList(text);
    if (mark !== '') {
      const number = Number.parseInt(mark, 10);
      if (this.#openList?.next === number) this.#leadKind = this.#openList.kind;
      this.#openList = null;
      this.#number = number;
      this.#takeTitle();
      this.#itemIndent = this.#indent;
    }
    // A paragraph that is not directly below the lead-in ends its list.
    if (mark === '' && this.#current === null && this.#isAfterBlank) this.#leadKind = null;
    this.#isAfterBlank = false;
    // The next lines of an item belong to it.
    if (mark === '' && this.#current?.form !== 'item')
      this.#purpose = purposeLead.test(text) ? text.replace(/^[*_]+|[*_]+$/g, '') : null;
    if (row !== undefined) this.#begin('row', joinCells(row), false);
    else if (mark !== '') this.#takeItem(text.slice(mark.length));
    else this.#takeLine(text);
  }

  /** Whether the line is directly below an item and not indented as its continuation. */
  #isBesideItem(): boolean {
    return this.#current?.form === 'item' && this.#indent <= this.#itemIndent;
  }

  /**
   * A line such as `Cost of the work:` directly below an item is no part of it, and ends its list. A single word above a further list
   * divides the list: `Backend:`. A numbered list can go on below.
   */
  #endList(text: string): void {
    this.#close();
    this.#openList = { next: this.#number + 1, kind: this.#leadKind };
    const next = (this.#lines[this.#at + 1] ?? '').replace(quoteMarks, '').trim();
    if (parseSpeaker(text) === null || !listMarkPattern.test(next)) this.#leadKind = null;
  }

  /** A paragraph that is only a name, directly above a list, is its lead-in without a colon. */
  #takeTitle(): void {
    const title = this.#current ?? (this.#isAfterBlank ? this.#title : null);
    if (title === null || title.form !== 'paragraph' || title.lines.length !== 1) return;
    if (title !== this.#current && title.speaker !== null) return;
    const line = title.lines[0] ?? '';
    const kind = kindOfName(line);
    if (kind === null || line.endsWith('.')) return;
    if (title === this.#current) this.#dropCurrent();
    else this.#blocks.pop();
    this.#leadKind = kind;
  }

  /** The list mark of a line, or an empty string. Inside a paragraph only `1.` begins a list, so `… Postgres` / `16. Then …` is none. */
  #listMark(text: string): string {
    const match = listMarkPattern.exec(text);
    const number = match?.groups?.['number'];
    const inParagraph = this.#current?.form === 'paragraph';
    const isText =
      inParagraph && number !== undefined && number !== '1' && Number(number) !== this.#openList?.next;
    return match === null || isText ? '' : match[0];
  }

  #takeItem(text: string): void {
    const box = checkBox.exec(text);
    const isStep = box === null && this.#purpose !== null;
    const isDone = box !== null && box[1] !== ' ';
    this.#takeSpoken(
      'item',
      box ? text.slice(box[0].length) : isStep ? `${this.#purpose} ${text}` : text,
      box?.[1] === ' ',
      isDone,
    );
  }

  #takeLine(text: string): void {
    if (this.#current && parseSpeaker(text) === null) this.#current.lines.push(text);
    else this.#takeSpoken('paragraph', text, false);
  }

  #takeSpoken(form: Block['form'], text: string, open: boolean, isDone = false): void {
    const spoken = parseSpeaker(text);
    if (spoken === null || (form === 'item' && this.#isTopic(spoken))) {
      this.#begin(form, text, open, isDone);
      return;
    }
    if (spoken.rest === '') {
      this.#takeSpeaker(spoken.speaker);
      return;
    }
    this.#close();
    this.#speaker = spoken.speaker;
    this.#begin(form, spoken.rest, open, isDone);
  }

  /** A line that only names who says the next ones. */
  #takeSpeaker(name: string): void {
    this.#close();
    this.#speaker = name;
    this.#spoken = false;
    this.#title = null;
  }

  /** A line of a chat with who says the next ones, and when. */
  #takeStamped(name: string): void {
    this.#takeSpeaker(name);
    this.#leadKind = null;
  }

  /**
   * Whether the label of an item is what it is about, as in `- Review: propose a Skill`. No name also occurs in lower case. A role does,
   * but what it says begins with a capital letter.
   */
  #isTopic({ speaker, rest }: SpokenLine): boolean {
    if (!/^\p{Ll}/u.test(rest)) return false;
    this.#lowerWords ??= new Set(this.#lines.join(' ').match(/(?<!\p{L})\p{Ll}+/gu));
    return this.#lowerWords.has(speaker.toLowerCase());
  }

  #begin(form: Block['form'], text: string, open: boolean, isDone = false): void {
    this.#close();
    this.#current = {
      form,
      lines: [text.trim()],
      speaker: this.#speaker,
      open,
      kind: this.#kindOf(form, isDone),
    };
    this.#title = this.#current;
    this.#spoken = true;
  }

  /** A ticked item of a list of open work is done. */
  #kindOf(form: Block['form'], isDone: boolean): KnownKind | null {
    const kind = form !== 'paragraph' ? (this.#leadKind ?? this.#headingKind) : this.#leadKind;
    return isDone && kind === 'working_note' ? 'fact' : kind;
  }

  #close(): void {
    if (this.#current) this.#blocks.push(this.#current);
    this.#current = null;
  }
}
