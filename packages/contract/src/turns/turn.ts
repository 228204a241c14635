import { type CredentialLevel, redactCredentials, redactedMark } from '../credentials/index.ts';
import { isBlank } from '../notation/text.ts';
import { cutOwnContext } from './own-context.ts';
import { boundedId } from './source-ids.ts';
import { replaceUnstorable, splitText } from './storable-text.ts';

/** Which credentials become `[redacted]`; `off`: none. */
export type RedactionLevel = CredentialLevel | 'off';

/** A text that can be stored, and what was changed in it. */
export interface CleanText {
  text: string;
  /** Characters that became U+FFFD. */
  replaced: number;
  /** Credentials that became `[redacted]`. */
  redacted: number;
}

/** Why a text is not stored. */
export type EmptyText = 'empty' | 'own_context';

/** Makes a text of a turn storable (spec 70 §2.3 to 2.5): without the service's own context, then without credentials. */
export function cleanText(given: string, level: RedactionLevel): CleanText | EmptyText {
  const { text: own, blocks } = cutOwnContext(given);
  if (isBlank(own)) return blocks > 0 && !isBlank(given) ? 'own_context' : 'empty';
  const { text: storable, replaced } = replaceUnstorable(own);
  if (level === 'off') return { text: storable, replaced, redacted: 0 };
  const { text, count: redacted } = redactCredentials(storable, level);
  if (redacted > 0 && !/[\p{L}\p{N}]/u.test(text.replaceAll(redactedMark, ''))) return 'empty';
  return { text, replaced, redacted };
}

/** One text of a turn: a user's prompt, or the agent's last message with text before the next prompt. */
export interface TurnText {
  role: 'prompt' | 'answer';
  /** The host, which is also the format of its sessions: `claude-code`. */
  host: string;
  session: string;
  turn: string;
  text: string;
  /** The folder of the turn, with `~` for the home folder; null if not known. */
  directory: string | null;
  /** RFC 3339 with an offset; null if not known. */
  occurredAt: string | null;
}

/** A Source to capture, besides its Scope. */
export interface SourceToCapture {
  source_id: string;
  content: string;
  metadata: Record<string, string | number>;
  occurred_at: string | null;
}

/**
 * The Sources of one text of a turn (spec 70 §2): one, or one for each part of a long text. Import and hooks store the same under the
 * same ids.
 */
export async function turnSources(
  turn: TurnText,
  level: RedactionLevel,
): Promise<SourceToCapture[] | EmptyText> {
  const clean = cleanText(turn.text, level);
  if (typeof clean === 'string') return clean;
  const base = `${turn.host}/${turn.session}/${turn.turn}/${turn.role}`;
  const metadata = {
    kind: `agent-${turn.role}`,
    host: turn.host,
    session_id: turn.session,
    turn_id: turn.turn,
    ...(turn.directory !== null && { directory: turn.directory }),
  };
  return textSources({ base, clean, metadata, occurredAt: turn.occurredAt });
}

/** The Sources of one clean text under an id. The counts of what was changed stand in the metadata of each. */
export async function textSources({
  base,
  clean: { text, replaced, redacted },
  metadata,
  occurredAt,
}: {
  base: string;
  clean: CleanText;
  metadata: Record<string, string | number>;
  occurredAt: string | null;
}): Promise<SourceToCapture[]> {
  const { parts, omittedCharacters } = splitText(text);
  const counts = {
    ...(replaced > 0 && { replaced }),
    ...(redacted > 0 && { redacted }),
    ...(omittedCharacters > 0 && { omitted_characters: omittedCharacters }),
  };
  return Promise.all(
    parts.map(async (content, index) => {
      const suffix = parts.length === 1 ? '' : `/part-${index + 1}`;
      return {
        source_id: await boundedId(base, suffix),
        content,
        metadata: {
          ...metadata,
          ...(parts.length > 1 && { part: index + 1, parts: parts.length }),
          ...counts,
        },
        occurred_at: occurredAt,
      };
    }),
  );
}
