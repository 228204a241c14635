import { maxIdVersions, type SourceToCapture, versionedId } from '@continuity/contract/turns';
import { lazyModules } from './lazy-modules.ts';
import type { NotesFolder } from './notes.ts';
import type { Queue, QueuedText } from './queue.ts';
import { Refusal, type Service } from './service.ts';
import { type Destination, isSameDestination } from './settings.ts';

/** What a run over the queue found. */
export interface Sent {
  /** Texts that this run has sent. */
  count: number;
  /** Whether texts for this destination are left. */
  isEmpty: boolean;
  /** Why the run ended early, or what the service refused. */
  failures: Error[];
}

/** Statuses after which a text is tried again: it may be right, and the token or the service is not. */
const keptStatuses = new Set([401, 403, 408, 425, 429]);

/**
 * Sends the texts of the queue for one destination, oldest first, until `isLate` (spec 70 §4.3.1). A failure of the service ends it; a
 * refused text is put aside. With `isForAll`, texts for other destinations are sent too. Two runs at once are harmless, because a repeat of a Source is no second one.
 */
export async function sendQueue(
  {
    queue,
    notes,
    service,
    destination,
    isForAll = false,
  }: { queue: Queue; notes: NotesFolder; service: Service; destination: Destination; isForAll?: boolean },
  isLate: () => boolean,
): Promise<Sent> {
  const sent: Sent = { count: 0, isEmpty: true, failures: [] };
  for (const { name } of queue.list()) {
    // Before the file is read: a full queue for another destination takes long to read.
    if (isLate()) return { ...sent, isEmpty: false };
    const text = queue.read(name);
    if (text === undefined) continue;
    if (!isForAll && !isSameDestination(text.destination, destination)) continue;
    try {
      notes.mark(text.notes, { stored: name, as: await captureText(service, text) });
      queue.remove(name);
      sent.count += 1;
    } catch (error) {
      sent.failures.push(error as Error);
      if (!isRefusedForGood(error)) return { ...sent, isEmpty: false };
      queue.refuse(name);
    }
  }
  return sent;
}

/** Whether the same text will be refused again. */
export function isRefusedForGood(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    error.status >= 400 &&
    error.status < 500 &&
    !keptStatuses.has(error.status) &&
    error.code !== 'no_service'
  );
}

/** Captures all parts of a text. Returns the ids under which they are stored. */
export async function captureText(
  service: Service,
  { scope_id, version = 1, sources }: Pick<QueuedText, 'scope_id' | 'version' | 'sources'>,
): Promise<string[]> {
  const ids: string[] = [];
  for (const source of sources) {
    const id = await capture(service, scope_id, source, version);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** Captures a Source, under the next id where another text has this one. Undefined for an erased one, which is not sent again. */
async function capture(
  service: Service,
  scope_id: string,
  source: SourceToCapture,
  version: number,
): Promise<string | undefined> {
  const lastVersion = version + maxIdVersions - 1;
  for (let number = version; ; number += 1) {
    const source_id = await versionedId(source.source_id, number);
    try {
      await service.post('/v1/sources/content', { scope_id, ...source, source_id });
      return source_id;
    } catch (error) {
      const taken = takenBy(error);
      if (taken === 'erased') return undefined;
      if (taken === digestOf(source.content)) return source_id;
      if (taken === undefined || number === lastVersion) throw error;
    }
  }
}

/** What has the id of a Source: the digest of another content, or one that was erased; undefined for another error. */
function takenBy(error: unknown): string | undefined {
  if (!(error instanceof Refusal) || error.status !== 409) return undefined;
  if (error.details['reason'] === 'erased') return 'erased';
  const { content_digest } = (error.details['current'] ?? {}) as { content_digest?: unknown };
  return String(content_digest);
}

/** The digest that the service keeps of a content. */
function digestOf(content: string): string {
  const hash = lazyModules.crypto.createHash('sha256').update(JSON.stringify(content));
  return `sha256:${hash.digest('hex')}`;
}
