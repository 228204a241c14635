import type { RawReply } from '@continuity/testing';
import type { Names } from './planted.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The tag of a revision is a digest over its new ids. */
const tag = /(?<="\d+-)[0-9a-f]{32}(?=")/g;

/** A manifest is of the names that were sent, so that its fingerprint is too. */
const fingerprint = /(?<="fingerprint":")sha256:[0-9a-f]{64}/;

/** A receipt is of the names that were sent, so that its digest is too. */
const receiptDigest = /(?<="kind":"handoff-receipt".*"content_digest":")sha256:[0-9a-f]{64}/;

/** When statistics were read, and when a code expires. */
const answerTime = /(?<="(as_of|enrollment_expires_at)":")[^"]+/;

/** A new target, and its code. */
const newTarget = /(?<=")(codex-[0-9a-f]{12}|ske_[\w-]{43})(?=")/g;

interface Essence {
  status: number;
  text: string;
  headers: string[];
}

/** All of an answer but the request id, with the names that were sent, and new ids, made alike. */
export function essence({ status, headers, text }: RawReply, { citation, ...names }: Names): Essence {
  const sent = [citation.entry_id, citation.entry_version_id, ...Object.values(names)];
  const alike = (value: string) =>
    sent
      .reduce((rest, name) => rest.replaceAll(name, '<name>'), value)
      .replaceAll(uuid, '<id>')
      .replaceAll(tag, '<tag>')
      .replace(fingerprint, '<fingerprint>')
      .replace(receiptDigest, '<digest>')
      .replace(newTarget, '<target>')
      .replace(answerTime, '<time>');
  const rest = [...headers].filter(([name]) => !['x-service-request-id', 'date'].includes(name));
  return { status, text: alike(text), headers: rest.map(([name, value]) => `${name}: ${alike(value)}`) };
}
