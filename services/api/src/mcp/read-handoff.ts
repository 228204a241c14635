import type { ArtifactRef } from '@continuity/contract';
import type { HandoffResolution } from '@continuity/contract/handoff';
import { handoffContext } from '@continuity/contract/handoff-context';
import { callTool, readToolInput } from './call-tool.ts';
import type { McpSession } from './session.ts';

/** The latest Handoff of a Scope as context for a turn (spec 70 §4.4); undefined where there is none. Throws the errors of the operations. */
export async function readHandoff(
  session: McpSession,
  args: Record<string, unknown>,
): Promise<string | undefined> {
  const { handlers, caller, scope } = session;
  const input = readToolInput('continue_handoff', { ...args, selection: 'latest' }, scope);
  const resolution = (await callTool(handlers, caller, 'continue_handoff', input)) as HandoffResolution;
  const { scope_id, content, selected_revision: selected, evidence_checks: checks } = resolution;
  if (content === null || selected === null) return undefined;
  return handoffContext({
    revision: selected.revision,
    committedAt: await commitTime(session, scope_id, selected),
    objective: content.objective,
    state: content.state.map(({ text }) => text),
    nextAction: content.next_action?.text ?? null,
    omissions: content.omissions.map(({ text }) => text),
    unavailable: checks.reduce((sum, check) => sum + check.unavailable_evidence.length, 0),
  });
}

/** The time at which a revision was committed, which was the head a moment ago. */
async function commitTime(
  { handlers, caller }: McpSession,
  scope_id: string,
  { artifact_id, revision }: ArtifactRef,
): Promise<string> {
  const { body } = await handlers.list_artifact_revisions(caller, {
    params: { scope_id, family: 'handoff', artifact_id },
    query: { limit: 100, cursor: undefined },
    headers: undefined,
    body: undefined,
  });
  const { items } = body as { items: { revision: number; created_at: string }[] };
  const found = items.find((item) => item.revision === revision) ?? items.at(-1);
  if (found === undefined) throw new Error('A Handoff has no revision.');
  return found.created_at;
}
