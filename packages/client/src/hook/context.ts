import { handoffContext } from '@continuity/contract/handoff-context';
import { Refusal, type Service } from './service.ts';

/** A Handoff older than this is not added to a new session, in milliseconds (spec 70 §4.2). */
const staleMs = 14 * 86_400_000;

interface Statement {
  text: string;
}

interface Resolution {
  status: 'empty' | 'resolved';
  content: {
    objective: string;
    state: Statement[];
    disposition: 'continuable' | 'blocked' | 'complete';
    next_action: Statement | null;
    omissions: Statement[];
  } | null;
  selected_revision: { revision: number } | null;
  evidence_checks: { unavailable_evidence: unknown[] }[];
}

/** Prepares a compact context for a prompt; null if there is none. A service of an older release does not know `format`. */
export async function preparedContext(
  service: Service,
  scope_id: string,
  query: string,
): Promise<string | null> {
  const request = { scope_id, query };
  const path = '/v1/context/prepare';
  type Prepared = { status: string; content: string | null };
  const prepared = await service.post<Prepared>(path, { ...request, format: 'compact' }).catch((error) => {
    if (!isUnknownFormat(error)) throw error;
    return service.post<Prepared>(path, request);
  });
  return prepared.status === 'ready' ? prepared.content : null;
}

function isUnknownFormat(error: unknown): boolean {
  const issues = error instanceof Refusal ? error.details['issues'] : undefined;
  return Array.isArray(issues) && issues.some((issue) => issue?.path === 'format');
}

/** A Handoff that is still to be continued. */
export interface OpenHandoff {
  revision: number;
  text: string;
}

/**
 * The Handoff of a Scope as context: its latest one, unless that is complete or older than 14 days; or exactly one revision. Undefined if
 * there is none.
 */
export async function handoffOf(
  service: Service,
  scope_id: string,
  exact?: number,
): Promise<OpenHandoff | undefined> {
  const revision = { family: 'handoff', artifact_id: 'handoff', revision: exact };
  const selection = exact === undefined ? { selection: 'latest' } : { selection: 'exact', revision };
  const [resolved, committed] = await Promise.all([
    service.post<Resolution>('/v1/handoff/continue', { scope_id, ...selection }),
    revisionTimes(service, scope_id),
  ]);
  const { content, selected_revision, evidence_checks } = resolved;
  if (content === null || selected_revision === null) return undefined;
  const committedAt = committed.get(selected_revision.revision);
  if (exact === undefined && (content.disposition === 'complete' || isStale(committedAt))) return undefined;
  return {
    revision: selected_revision.revision,
    text: handoffContext({
      revision: selected_revision.revision,
      committedAt: committedAt ?? new Date().toISOString(),
      objective: content.objective,
      state: content.state.map(({ text }) => text),
      nextAction: content.next_action?.text ?? null,
      omissions: content.omissions.map(({ text }) => text),
      unavailable: new Set(
        evidence_checks.flatMap((check) => check.unavailable_evidence.map((cited) => JSON.stringify(cited))),
      ).size,
    }),
  };
}

function isStale(committedAt: string | undefined): boolean {
  return committedAt === undefined || Date.now() - Date.parse(committedAt) > staleMs;
}

/** When the newest revisions of the Handoff were committed, by their number. */
async function revisionTimes(service: Service, scope_id: string): Promise<Map<number, string>> {
  const scope = encodeURIComponent(scope_id);
  try {
    const { items } = await service.get<{ items: { revision: number; created_at: string }[] }>(
      `/v1/scopes/${scope}/artifacts/handoff/handoff/revisions?limit=10`,
    );
    return new Map(items.map(({ revision, created_at }) => [revision, created_at]));
  } catch (error) {
    // A Scope without a Handoff, or a service of an older release.
    if (error instanceof Refusal && error.status === 404) return new Map();
    throw error;
  }
}
