/** Formats that `continuity import` reads (spec 70 §3). */
export const formatNames = [
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'chatgpt',
  'claude-ai',
  'mem0',
  'letta',
  'powercontext',
  'markdown',
  'ndjson',
] as const;

export type FormatName = (typeof formatNames)[number];

/** Why something is not stored (spec 70 §3.6). */
export const leftOutReasons = [
  'tool_output',
  'synthetic',
  'subagent',
  'summary',
  'own_context',
  'attachment',
  'copy',
  'empty',
  'before_since',
  'open_turn',
  'bad_line',
  'long_line',
  'too_long',
  'erased',
] as const;

export type LeftOutReason = (typeof leftOutReasons)[number];

/** Where reading a file goes on: behind its last stored turn. */
export interface ResumePoint {
  byte: number;
  /** Lines before it. */
  line: number;
  /** What the lines before said about those behind, such as the folder. */
  session?: string;
  directory?: string | null;
}

interface Located {
  /** Line of a text file, counted from 1; null for other files. */
  line: number | null;
}

/** One text of a turn. */
export interface TurnItem extends Located {
  type: 'turn';
  role: 'prompt' | 'answer';
  session: string;
  turn: string;
  text: string;
  /** RFC 3339 with an offset; null if not known. */
  time: string | null;
  /** Absolute path; null if not known. */
  directory: string | null;
}

/** A text with an id of its own, such as a section of a document. */
export interface DocumentItem extends Located {
  type: 'document';
  id: string;
  text: string;
  time: string | null;
  metadata: Record<string, unknown>;
  scope: string | null;
}

/** A statement of another memory system, which becomes an entry. */
export interface FactItem extends Located {
  type: 'fact';
  id: string;
  text: string;
  kind: string;
  /** As the other system wrote it. */
  record: unknown;
  scope: string | null;
}

export interface LeftOutItem extends Located {
  type: 'left_out';
  reason: LeftOutReason;
}

/** All items before it are complete: after they are stored, the file can be read from here. */
export interface MarkItem {
  type: 'mark';
  next: ResumePoint;
}

export type Item = TurnItem | DocumentItem | FactItem | LeftOutItem | MarkItem;

/** A part of a file that is read in order: a session, a conversation, or the whole file. */
export interface Session {
  format: FormatName;
  /** The file, for the report and the state. */
  path: string;
  bytes: number;
  /** When it began and was last written, in milliseconds; 0 if not known. */
  start: number;
  last: number;
  /** The folder in which it began; null if not known. */
  directory: string | null;
  /** The Scope of formats that name one; null for the Scope of the folder. */
  scope: string | null;
  /** Whether it can be read from a mark. */
  resumes: boolean;
  read(from: ResumePoint | null): AsyncIterable<Item>;
}

/** The time of a record as RFC 3339: kept if it has an offset, converted from seconds or milliseconds; null for anything else. */
export function toTime(value: unknown): string | null {
  if (typeof value === 'number') {
    const ms = value < 100_000_000_000 ? value * 1_000 : value;
    return ms > 0 && ms < 253_402_300_800_000 ? new Date(ms).toISOString() : null;
  }
  if (typeof value !== 'string') return null;
  const text = value.trim().replace(' ', 'T');
  const full = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/i.exec(text);
  if (full === null) return null;
  const withOffset = full[1] === undefined ? `${text}Z` : text;
  return Number.isNaN(Date.parse(withOffset)) || text.startsWith('0000') ? null : withOffset;
}

/** The time in milliseconds; 0 if not known. */
export function toMs(time: string | null): number {
  return time === null ? 0 : Date.parse(time);
}

export function leftOut(reason: LeftOutReason, line: number | null = null): LeftOutItem {
  return { type: 'left_out', reason, line };
}
