import type { HandoffReportActivity } from '@continuity/contract/reports';
import { effectiveTime } from '../model/activities.ts';
import { capitalized, code, item, joinLines, labeled, spaced, stored, titled } from './lines.ts';
import type { Item, Line } from './nodes.ts';
import { referencesLine } from './references.ts';
import type { Words } from './words.ts';

/** One activity as an item, with its details as nested items. */
export function activityItem(activity: HandoffReportActivity, w: Words): Item {
  const time = effectiveTime(activity);
  const facts = spaced(time === null ? null : code(time), code(activity.time_basis), code(activity.source));
  const summary: Line = activity.summary === null ? [] : [stored(activity.summary)];
  return item(titled(facts, activity.title), summary, detailsLine(activity, w));
}

function detailsLine(activity: HandoffReportActivity, w: Words): Line {
  const { event_id, source_event_id, source_ref, evidence_refs, agent, session_id } = activity;
  const references = source_ref === null ? evidence_refs : [source_ref, ...evidence_refs];
  const { branch = null, head_revision = null } = activity.vcs_context ?? {};
  const { provider = null, label = null } = agent ?? {};
  return joinLines(
    [
      labeled(capitalized(w.event), code(event_id), code(source_event_id)),
      referencesLine(w.references, references),
      labeled(w.vcs, codeOrNull(branch), codeOrNull(head_revision)),
      labeled(w.agent, codeOrNull(provider), codeOrNull(label)),
      labeled(w.session, codeOrNull(session_id)),
      labeled(w.trust, code(activity.trust)),
    ],
    '; ',
  );
}

function codeOrNull(value: string | null) {
  return value === null ? null : code(value);
}
