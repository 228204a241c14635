import type { Steps } from '@continuity/kernel/fairness';
import type { Block } from './block.ts';
import { stampedNames } from './copied-chats.ts';
import { fieldLines, lowerWordsOf } from './fields.ts';
import {
  checkBox,
  headingLength,
  headingPattern,
  isShortName,
  labelStart,
  leadIn,
  listMarkPattern,
  markedName,
  rulePattern,
  sentenceEnd,
  tableRow,
  tableRule,
  timeAlone,
  underline,
  wrappedWidth,
} from './line-forms.ts';
import { ListContext, type ListName, readListName } from './list-context.ts';
import { type QuotedLine, readQuotes } from './quotes.ts';
import { kindOfLabel } from './sections.ts';
import { isOwnSentence } from './sentence-below.ts';
import { isBareValue, parseSpeaker, type SpokenLine } from './speakers.ts';
import { joinCells } from './table-rows.ts';

/** Splits lines into blocks, without headings, rules and table borders (spec 20 X2). */
export function* splitBlocks(lines: readonly string[]): Steps<Block[]> {
  const quoted = readQuotes(lines);
  yield;
  const splitter = new BlockSplitter(quoted);
  for (const line of quoted) {
    yield;
    splitter.take(line);
  }
  return splitter.end();
}

/** How far to look for the next item of a list, in lines: bounds the time of a text without items. */
const linesAhead = 4;

class BlockSplitter {
  readonly #lines: readonly QuotedLine[];
  readonly #stampedNames: Map<number, string>;
  readonly #fieldLines: Set<number>;
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
  readonly #context = new ListContext();
  #isAfterBlank = false;
  /** The last block, which can be the title of a list; null behind a heading, a rule or a speaker. */
  #title: Block | null = null;
  /** Number of the last item (not a number for another mark), and the list that a label interrupts. */
  #number = Number.NaN;
  #openList: { next: number; lead: ListName } | null = null;
  /** Number of quote marks before the last line: the answer and what it quotes are separate paragraphs. */
  #quoted = 0;

  constructor(lines: readonly QuotedLine[]) {
    this.#lines = lines;
    this.#stampedNames = stampedNames(lines);
    this.#fieldLines = fieldLines(
      lines.map(({ text }) => text.replace(listMarkPattern, '').replace(checkBox, '')),
    );
  }

  take({ marks, text, indent }: QuotedLine): void {
    this.#at += 1;
    this.#indent = indent;
    const stamped = this.#stampedNames.get(this.#at);
    this.#takeQuoted(marks, text);
    if (text === '') this.#takeBlank();
    else if (stamped !== undefined) this.#takeStamped(stamped);
    else if (headingPattern.test(text)) this.#takeHeading(text);
    else if (underline.test(text) && this.#isUnderlined(text)) this.#takeUnderlined();
    else if (this.#isLeadIn(text)) this.#takeLeadIn(text);
    else if (this.#isBelowSpeaker() && timeAlone.test(text)) return;
    else if (tableRule.test(text)) this.#takeTableHead();
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
    this.#context.endPurpose();
    this.#close();
    this.#title = null;
  }

  #takeBlank(): void {
    this.#close();
    this.#openList = null;
    this.#context.endTable();
    this.#isAfterBlank = true;
    if (this.#spoken) this.#speaker = null;
  }

  #takeHeading(text: string): void {
    this.#close();
    this.#title = null;
    this.#speaker = null;
    this.#context.takeHeading(text);
  }

  #takeUnderlined(): void {
    const name = this.#current?.lines[0] ?? '';
    this.#dropCurrent();
    this.#title = null;
    this.#context.takeHeading(name);
  }

  /** A line such as `Decisions:` names the kind of the list or the lines below it. */
  #takeLeadIn(text: string): void {
    this.#close();
    this.#context.takeLead(readListName(text));
  }

  #isUnderlined(text: string): boolean {
    const line = this.#current?.form === 'paragraph' ? this.#current.lines : [];
    if (line.length !== 1) return false;
    return text.includes('=') || (line[0] ?? '').length <= headingLength;
  }

  /** A name with a colon or a mark, or one directly above a list. */
  #isLeadIn(text: string): boolean {
    const isMarked = leadIn.test(text) || markedName.test(text);
    const next = this.#lines[this.#at + 1]?.text ?? '';
    const isAboveList =
      labelStart.test(text) && this.#indent <= this.#itemIndent && listMarkPattern.test(next);
    return (isMarked || isAboveList) && readListName(text) !== null;
  }

  /** The head of a table is no row. It names the kind of the rows if a column is one of decisions or tasks. */
  #takeTableHead(): void {
    if (this.#current?.form === 'row') this.#context.takeTableHead(this.#current.lines[0] ?? '');
    this.#dropCurrent();
  }

  #dropCurrent(): void {
    this.#current = null;
  }

  #takeText(text: string): void {
    const row = tableRow.exec(text)?.[1];
    const mark = this.#listMark(text);
    if (mark === '' && this.#isBesideItem() && this.#isBelowList(text)) this.#endList(text);
    if (mark !== '') {
      const number = Number.parseInt(mark, 10);
      if (this.#openList?.next === number) this.#context.takeLead(this.#openList.lead);
      this.#openList = null;
      this.#number = number;
      this.#takeTitle();
      this.#itemIndent = this.#indent;
    }
    // A paragraph that is not directly below the lead-in ends its list.
    if (mark === '' && this.#current === null && this.#isAfterBlank) this.#context.endLead();
    this.#isAfterBlank = false;
    if (mark === '' && this.#isOtherSpeaker(text)) {
      this.#close();
      this.#context.endPrefix();
    }
    // The next lines of an item belong to it.
    if (mark === '' && this.#current?.form !== 'item')
      this.#context.takeLine(parseSpeaker(text)?.rest || text);
    if (row !== undefined) this.#begin('row', joinCells(row), false);
    else if (mark !== '') this.#takeItem(text.slice(mark.length));
    else this.#takeLine(text);
  }

  /** Whether the list goes on below, also behind a blank line. */
  #isItemNear(): boolean {
    const ahead = this.#lines.slice(this.#at + 1, this.#at + 1 + linesAhead);
    const blank = ahead.findIndex(({ text }) => text === '');
    const item = ahead.findIndex(({ text }) => listMarkPattern.test(text));
    return item !== -1 && (blank === -1 || item <= blank + 1);
  }

  /**
   * Whether a line below an item is none of it: a lead-in, one that names its own kind (`Constraints: …`), a sentence of its own below the
   * last item, or a short name between two items, such as `Exceptions`.
   */
  #isBelowList(text: string): boolean {
    const before = this.#current?.lines.at(-1) ?? '';
    if (!labelStart.test(text)) return false;
    if (isOwnSentence(before, text) && !this.#isItemNear()) return true;
    if (leadIn.test(text) || kindOfLabel(text) !== null) return true;
    const next = this.#lines[this.#at + 1]?.text ?? '';
    return isShortName(text) && before.length < wrappedWidth && listMarkPattern.test(next);
  }

  /** Whether a line below an item begins with the name of who says it. */
  #isOtherSpeaker(text: string): boolean {
    if (!this.#isBesideItem() || this.#fieldLines.has(this.#at) || kindOfLabel(text) !== null) return false;
    const spoken = parseSpeaker(text);
    return spoken !== null && !(this.#context.lead.kind === 'working_note' && this.#isTopic(spoken));
  }

  /** Whether the line is directly below an item and not indented as its continuation. */
  #isBesideItem(): boolean {
    return this.#current?.form === 'item' && this.#indent <= this.#itemIndent;
  }

  /**
   * A line such as `Cost of the work:`, or a sentence of its own, directly below an item is no part of it, and ends its list. A single word above a further list
   * divides the list: `Backend:`. A numbered list can go on below.
   */
  #endList(text: string): void {
    this.#close();
    this.#openList = { next: this.#number + 1, lead: this.#context.lead };
    const next = this.#lines[this.#at + 1]?.text ?? '';
    const goesOn =
      kindOfLabel(text) === null
        ? listMarkPattern.test(next) && parseSpeaker(text) !== null
        : this.#isItemNear();
    if (!goesOn) this.#context.endLead();
  }

  /** A paragraph that is only a name, directly above a list, is its lead-in without a colon. */
  #takeTitle(): void {
    const title = this.#current ?? (this.#isAfterBlank ? this.#title : null);
    if (title === null || title.form !== 'paragraph' || title.lines.length !== 1) return;
    if (title !== this.#current && title.speaker !== null) return;
    const line = title.lines[0] ?? '';
    const name = readListName(line);
    if (name === null || /(?<!\d)\.$/.test(line)) return;
    if (title === this.#current) this.#dropCurrent();
    else this.#blocks.pop();
    this.#context.takeLead(name);
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
    const isDone = box !== null && box[1] !== ' ';
    const isOpen = box?.[1] === ' ';
    const said = text.slice(box?.[0].length ?? 0);
    const lead = this.#context.prefixOf(said);
    if (lead === '') this.#takeSpoken('item', said, isOpen, isDone);
    else this.#begin('item', `${lead}${said}`, isOpen, isDone);
  }

  #takeLine(text: string): void {
    if (this.#fieldLines.has(this.#at)) this.#begin('paragraph', text, false);
    else if (this.#current && kindOfLabel(text) === null && parseSpeaker(text) === null)
      this.#current.lines.push(text);
    else this.#takeSpoken('paragraph', text, false);
  }

  #takeSpoken(form: Block['form'], text: string, open: boolean, isDone = false): void {
    const spoken = parseSpeaker(text);
    const isListed = form === 'item' || this.#context.lead.kind === 'working_note';
    if (spoken === null || this.#fieldLines.has(this.#at) || (isListed && this.#isTopic(spoken))) {
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
    this.#context.endLead();
    this.#context.endPurpose();
  }

  /**
   * Whether the label of an item is what it is about, as in `- Review: propose a Skill`. No name also occurs in lower case. A role does,
   * but what it says begins with a capital letter.
   */
  #isTopic({ speaker, rest }: SpokenLine): boolean {
    // Neither who does an item of open work nor what has a value (`Port: 8080`) is a speaker.
    if (rest !== '' && (this.#context.kind === 'working_note' || isBareValue(rest))) return true;
    if (!/^\p{Ll}/u.test(rest)) return false;
    this.#lowerWords ??= lowerWordsOf(this.#lines);
    return this.#lowerWords.has(speaker.toLowerCase());
  }

  #begin(form: Block['form'], text: string, open: boolean, isDone = false): void {
    this.#close();
    const labeled = form === 'paragraph' ? kindOfLabel(text) : null;
    const isStatus = form === 'paragraph' && this.#context.takeStatus(text);
    this.#current = {
      form,
      lines: [text.trim()],
      speaker: this.#speaker,
      open,
      kind: isStatus ? null : (labeled ?? this.#context.kindOf(form, text, isDone)),
      isKindOfFirst: labeled !== null || (form === 'paragraph' && this.#context.isDecisionNext),
    };
    if (!isStatus) this.#context.endDecision();
    this.#title = this.#current;
    this.#spoken = true;
  }

  #close(): void {
    if (this.#current) this.#blocks.push(this.#current);
    this.#current = null;
  }
}
