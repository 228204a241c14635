import { codePointLength, type Issue, trimWhite } from '@continuity/contract';
import { invalidRequest, normalizeText, utf8Length } from '@continuity/shared/kernel';

/** Bounds after normalization (spec 20 M9, M10, M11). */
const maxTextBytes = 8192;
const maxKindLength = 128;
const maxReasonLength = 512;

export interface EntryContent {
  kind: string;
  text: string;
}

/**
 * NFC makes UTF-8 at most three times shorter (UAX #15 §12): what cannot come out within the bound is not normalized, and is
 * still over the bound.
 */
function normalizeBoundedText(raw: string): string {
  const trimmed = trimWhite(raw);
  return utf8Length(trimmed) > 3 * maxTextBytes ? trimmed : normalizeText(trimmed);
}

/** Kind and text as they are stored and compared: NFC, trimmed, bounded. Adds what is wrong to `issues`. */
export function normalizeContent(content: EntryContent, path: string, issues: Issue[]): EntryContent {
  const kind = normalizeText(content.kind);
  const text = normalizeBoundedText(content.text);
  const kindLength = codePointLength(kind);
  const bytes = utf8Length(text);
  if (kindLength < 1 || kindLength > maxKindLength) {
    issues.push({
      path: `${path}kind`,
      message: `must have 1 to ${maxKindLength} characters after trimming`,
    });
  }
  if (bytes < 1 || bytes > maxTextBytes) {
    issues.push({
      path: `${path}text`,
      message: `must have 1 to ${maxTextBytes} UTF-8 bytes after trimming`,
    });
  }
  return { kind, text };
}

export interface AuditedContent {
  content: EntryContent;
  reason: string | null;
}

/** Content and audit text of one caller's write. Throws 422 with all that is wrong. */
export function requireEntry(given: EntryContent & { reason?: string | null | undefined }): AuditedContent {
  const issues: Issue[] = [];
  const content = normalizeContent(given, '', issues);
  const reason = normalizeReason(given.reason, issues);
  if (issues.length > 0) throw invalidRequest(issues);
  return { content, reason };
}

/** Audit text, or null for none and for a blank one. Throws 422 when it is too long. */
export function requireReason(given: string | null | undefined): string | null {
  const issues: Issue[] = [];
  const reason = normalizeReason(given, issues);
  if (issues.length > 0) throw invalidRequest(issues);
  return reason;
}

function normalizeReason(given: string | null | undefined, issues: Issue[]): string | null {
  const reason = normalizeText(given ?? '');
  if (codePointLength(reason) > maxReasonLength) {
    issues.push({ path: 'reason', message: `must have at most ${maxReasonLength} characters` });
  }
  return reason === '' ? null : reason;
}
