import type { ReportFrame } from '../content/frame.ts';
import { activityItem, listOrNone } from './entry.ts';
import { code, heading, item, labeled, words } from './lines.ts';
import type { Block } from './markdown.ts';
import type { Words } from './words.ts';

/** The sections after the details of the entries (spec 30 §4.9). */
export function closingBlocks(frame: ReportFrame, w: Words): Block[] {
  return [
    ...unassignedBlocks(frame, w),
    heading(2, words(w.metadata)),
    {
      kind: 'list',
      items: [
        item(labeled(w.selectionDigest, code(frame.selection_digest))),
        item(labeled(w.reportDigest, code(frame.report_digest))),
      ],
    },
  ];
}

function unassignedBlocks({ project, unassigned_activity }: ReportFrame, w: Words): Block[] {
  if (project === null) return [];
  const items = unassigned_activity.map((activity) => activityItem(activity, w));
  return [heading(2, words(w.unassignedActivity)), listOrNone(items, w)];
}
