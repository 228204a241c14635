import type { Inventory } from '@continuity/contract/stats';

/** No Candidate can exist before the Review area keeps them: its counts belong here. */
export const noCandidates: Inventory['candidates'] = {
  total: 0,
  pending: 0,
  approved: 0,
  rejected: 0,
  by_family: [],
};
