/** JSON that a host sends. */
export type Payload = Record<string, unknown>;

/** An event of a host, in one shape for all. */
export interface HostEvent {
  kind: 'start' | 'prompt' | 'answer' | 'compaction' | 'end';
  session: string;
  /** The folder of the session. */
  directory: string;
  /** Id of the turn; null if the host gives none. */
  turn: string | null;
  /** At a prompt, its text. At the end of a turn, the prompt only if it was not stored before. */
  prompt: string | null;
  answer: string | null;
}

/** How a host names its events and fields. */
export interface HostShape {
  /** Whether a prompt is stored when it is sent. Otherwise both texts are stored at the end of the turn, where the host names it. */
  storesPromptAtOnce: boolean;
  /** Reads an event; undefined for one that is not used. */
  read(name: string, payload: Payload): HostEvent | undefined;
  /** The output that adds a context. */
  write(name: string, context: string, payload: Payload): unknown;
}

/** Longest id of a session, in characters. */
const maxSession = 128;

/** The fields of an event that most hosts share. */
export function commonFields(payload: Payload): Pick<HostEvent, 'session' | 'directory'> {
  const { session_id, sessionId, cwd } = payload;
  const session = textOf(session_id) ?? textOf(sessionId) ?? 'session';
  return { session: session.slice(0, maxSession), directory: textOf(cwd) ?? process.cwd() };
}

/** The value if it is a text that is not blank. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
