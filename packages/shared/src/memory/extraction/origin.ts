import { isJsonObject, type JsonValue } from '@continuity/kernel/json';

/** When a Source was said, and who said it, as far as it is known. A model needs them to turn "tomorrow" into a date (spec 25 Q16). */
export interface SourceOrigin {
  /** ISO 8601, with the offset that the caller gave; else the time of capture in UTC. */
  time: string;
  speaker: string | null;
}

const timeKeys = ['occurred_at', 'said_at', 'timestamp', 'time', 'date', 'created_at'];
const speakerKeys = ['speaker', 'author', 'sender', 'user', 'role', 'name'];

/** A date, or a date and a time with or without an offset. */
const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Longest name of a speaker, in characters. */
const maxSpeaker = 64;

/** Speakers of what the hooks of agent hosts capture, by the `kind` of their metadata. */
const speakersOfKinds: Record<string, string> = { 'agent-prompt': 'user', 'agent-answer': 'assistant' };

/** A Source whose origin is asked for. `metadata` is its JSON, or null. */
interface DatedSource {
  metadata: string | null;
  occurredAt: string | null;
  capturedAt: Date;
}

/** The origin of a Source. Its `occurred_at` comes before a time in its metadata, and that before the time of its capture. */
export function originOf({ metadata, occurredAt, capturedAt }: DatedSource): SourceOrigin {
  const parsed = metadata === null ? {} : (JSON.parse(metadata) as JsonValue);
  const fields = isJsonObject(parsed) ? parsed : {};
  const texts = (keys: readonly string[]) =>
    keys.map((key) => fields[key]).filter((value) => typeof value === 'string');
  const time = texts(timeKeys).find((text) => isoTime.test(text) && !Number.isNaN(Date.parse(text)));
  const named = texts(speakerKeys).find((text) => text.trim() !== '');
  const kind = fields['kind'];
  const speaker = named ?? (typeof kind === 'string' ? speakersOfKinds[kind] : undefined);
  return {
    time: occurredAt ?? time ?? capturedAt.toISOString(),
    speaker: speaker === undefined ? null : [...speaker.trim()].slice(0, maxSpeaker).join(''),
  };
}
