import type { Block } from './block.ts';
import type { KnownKind } from './kinds.ts';
import {
  contraryName,
  deniesItself,
  isDecisionName,
  isPurpose,
  kindOfName,
  saysUnsettled,
} from './sections.ts';
import { kindOfColumns, kindOfRow } from './table-rows.ts';

/** What a name above a list says of its items. */
export interface ListName {
  kind: KnownKind | null;
  /** The name, where its items say the contrary without it: `Out of scope`. */
  contrary: string | null;
}

const statusLine = /^[*_]{0,2}status[*_]{0,2}\s?[:\uFF1A]/iu;

const noName: ListName = { kind: null, contrary: null };

/** What a name says of the items below it; null for a name that says nothing. */
export function readListName(name: string): ListName | null {
  const kind = kindOfName(name);
  const contrary = contraryName(name);
  return kind === null && contrary === null ? null : { kind, contrary };
}

/** What the heading, the lead-in and the head of a table above a line say of it (spec 25 Q14). */
export class ListContext {
  #heading: ListName = noName;
  /** The lead-in ends with its list. */
  #lead: ListName = noName;
  /** Kind that the head of the table names. */
  #rowKind: KnownKind | null = null;
  /** Whether the next paragraph says the decision that the heading announces, as in an ADR. */
  #isDecisionNext = false;
  /** The line that items begin with; null without one. */
  #purpose: string | null = null;

  get lead(): ListName {
    return this.#lead;
  }

  get kind(): KnownKind | null {
    return this.#lead.kind ?? this.#heading.kind;
  }

  get isDecisionNext(): boolean {
    return this.#isDecisionNext;
  }

  takeHeading(name: string): void {
    this.#heading = readListName(name) ?? noName;
    this.#isDecisionNext = isDecisionName(name);
    this.#purpose = null;
    this.endLead();
  }

  takeLead(lead: ListName | null): void {
    this.#lead = lead ?? noName;
    this.#purpose = null;
  }

  endLead(): void {
    this.#lead = noName;
  }

  /** Ends what the items above need before them: somebody else speaks. */
  endPrefix(): void {
    this.#purpose = null;
    if (this.#lead.contrary !== null) this.endLead();
  }

  /** Takes `Status: rejected` above a decision, which then is none. False for any other line. */
  takeStatus(text: string): boolean {
    if (!this.#isDecisionNext || !statusLine.test(text)) return false;
    if (saysUnsettled(text)) this.#isDecisionNext = false;
    return true;
  }

  endPurpose(): void {
    this.#purpose = null;
  }

  /** Takes a line of text, which says what the next list is for or ends the last one. */
  takeLine(text: string): void {
    this.#purpose = isPurpose(text) ? text.replace(/^[*_]+|[*_]+$/g, '') : null;
  }

  takeTableHead(row: string): void {
    this.#rowKind = kindOfColumns(row);
  }

  endTable(): void {
    this.#rowKind = null;
  }

  /** Ends the announcement of a decision: each block is the first one once. */
  endDecision(): void {
    this.#isDecisionNext = false;
  }

  /** What an item needs before it, with a blank. */
  prefixOf(item: string): string {
    if (this.#purpose !== null) return `${this.#purpose} `;
    const contrary = this.#contrary();
    return contrary === null || deniesItself(item, contrary) ? '' : `${contrary}: `;
  }

  #contrary(): string | null {
    return this.#lead.contrary ?? (this.#lead.kind === null ? this.#heading.contrary : null);
  }

  /** The kind of a block. A ticked item of a list of open work is done. */
  kindOf(form: Block['form'], text: string, isDone: boolean): KnownKind | null {
    if (form === 'paragraph') return this.#lead.kind ?? (this.#isDecisionNext ? 'decision' : null);
    if (form === 'row') return kindOfRow(text, this.kind ?? this.#rowKind);
    const kind = this.kind ?? (this.#contrary() === null ? null : 'fact');
    return isDone && kind === 'working_note' ? 'fact' : kind;
  }
}
