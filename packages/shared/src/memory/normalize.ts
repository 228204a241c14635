import { codePointLength, type Issue, trimWhite } from '@continuity/contract';
import { maxEntryTextBytes, maxKindCharacters, maxReasonCharacters } from '@continuity/contract/memory';
import { requireNoIssues } from '@continuity/kernel/errors';
import { normalizeText, utf8Length } from '@continuity/kernel/text';
import { changeValidity, unlimited, type ValidityChange, validityIssues } from './validity.ts';

export interface EntryContent {
  kind: string;
  text: string;
}

/**
 * NFC shortens UTF-8 to no less than a third (UAX #15 §12), so a longer text stays over the limit. Returns such a text without
 * normalization, which bounds its cost.
 */
function normalizeBoundedText(raw: string): string {
  const trimmed = trimWhite(raw);
  return utf8Length(trimmed) > 3 * maxEntryTextBytes ? trimmed : normalizeText(trimmed);
}

/** Normalizes kind and text to the stored form: NFC and trimmed. Adds violations of the limits to `issues`. */
export function normalizeContent(content: EntryContent, path: string, issues: Issue[]): EntryContent {
  const kind = normalizeKind(content.kind, path, issues);
  const text = normalizeBoundedText(content.text);
  const bytes = utf8Length(text);
  if (bytes < 1 || bytes > maxEntryTextBytes) {
    issues.push({
      path: `${path}text`,
      message: `must have 1 to ${maxEntryTextBytes} UTF-8 bytes after trimming, and has ${bytes}`,
    });
  }
  return { kind, text };
}

function normalizeKind(given: string, path: string, issues: Issue[]): string {
  const kind = normalizeText(given);
  const length = codePointLength(kind);
  if (length < 1 || length > maxKindCharacters) {
    issues.push({
      path: `${path}kind`,
      message: `must have 1 to ${maxKindCharacters} characters after trimming, and has ${length}`,
    });
  }
  return kind;
}

/** Normalizes the kind to list; null for all of them. Throws 422 for one over the limit. */
export function requireKind(given: string | null | undefined): string | null {
  if (given === null || given === undefined) return null;
  const issues: Issue[] = [];
  const kind = normalizeKind(given, '', issues);
  requireNoIssues(issues);
  return kind;
}

interface AuditedContent {
  content: EntryContent;
  reason: string | null;
}

/** Content of a request, with validity and reason. */
type SentEntry = EntryContent & ValidityChange & { reason?: string | null | undefined };

/** Normalizes content and reason of a request, and checks its validity. Throws 422 with all issues. */
export function requireEntry(given: SentEntry): AuditedContent {
  const issues: Issue[] = [];
  const content = normalizeContent(given, '', issues);
  const reason = normalizeReason(given.reason, issues);
  issues.push(...validityIssues(changeValidity(unlimited, given)));
  requireNoIssues(issues);
  return { content, reason };
}

/** Normalizes a reason; null if it is absent or blank. Throws 422 for one over the limit. */
export function requireReason(given: string | null | undefined): string | null {
  const issues: Issue[] = [];
  const reason = normalizeReason(given, issues);
  requireNoIssues(issues);
  return reason;
}

function normalizeReason(given: string | null | undefined, issues: Issue[]): string | null {
  const reason = normalizeText(given ?? '');
  const length = codePointLength(reason);
  if (length > maxReasonCharacters) {
    const message = `must have at most ${maxReasonCharacters} characters, and has ${length}`;
    issues.push({ path: 'reason', message });
  }
  return reason === '' ? null : reason;
}
