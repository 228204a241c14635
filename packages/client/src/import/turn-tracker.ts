import { type Item, leftOut, type ResumePoint } from './items.ts';

/** What a record says about a turn. */
interface Said {
  text: string;
  time: string | null;
  line: number | null;
}

/**
 * Builds the turns of one session from its messages in order: a prompt, and the last message with text before the next prompt
 * (spec 70 §2.1).
 */
export class TurnTracker {
  session: string;
  directory: string | null;
  #turn: { id: string; directory: string | null } | null = null;
  #answer: (Said & { message: string | null }) | null = null;

  constructor(session: string, directory: string | null) {
    this.session = session;
    this.directory = directory;
  }

  /** Begins a turn. `next` is where this prompt begins: all before it is complete. */
  *prompt(id: string, said: Said, next?: ResumePoint): Generator<Item> {
    yield* this.#finish();
    if (next !== undefined) yield { type: 'mark', next };
    this.#turn = { id, directory: this.directory };
    yield this.#item('prompt', said);
  }

  /** A message of the agent. Texts of one message are joined. Without a prompt before it there is no turn. */
  answer(said: Said, message: string | null = null): void {
    if (this.#turn === null) return;
    const isSame = message !== null && this.#answer?.message === message;
    const text = isSame ? `${this.#answer?.text}\n\n${said.text}` : said.text;
    this.#answer = { ...said, text, message };
  }

  /** Ends the session. The last answer of a session that goes on is left out, because it may not be the last one. */
  *end(goesOn: boolean, next?: ResumePoint): Generator<Item> {
    if (goesOn) {
      if (this.#answer !== null) yield leftOut('open_turn', this.#answer.line);
      return;
    }
    yield* this.#finish();
    if (next !== undefined) yield { type: 'mark', next };
  }

  *#finish(): Generator<Item> {
    if (this.#answer !== null) yield this.#item('answer', this.#answer);
    this.#answer = null;
    this.#turn = null;
  }

  #item(role: 'prompt' | 'answer', { text, time, line }: Said): Item {
    const turn = this.#turn as { id: string; directory: string | null };
    return {
      type: 'turn',
      role,
      session: this.session,
      turn: turn.id,
      text,
      time,
      directory: turn.directory,
      line,
    };
  }
}

/** Age at which the last answer of a file is complete, in milliseconds (spec 70 §3.6). */
const openTurnMs = 10 * 60_000;

/** Whether a session may still be written to. */
export function goesOn(lastWritten: number): boolean {
  return Date.now() - lastWritten < openTurnMs;
}
