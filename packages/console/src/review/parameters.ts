import { choice, id, type PageParameters, useParameters } from '../routing/schema.ts';
import type { Filters } from './inbox.ts';

export const tabs = ['proposal', 'evidence', 'files', 'versions', 'similar'] as const;

const schema = {
  within: choice('all', 'scope', 'subtree'),
  scope: id(256),
  family: choice('all', 'experience', 'skill'),
  status: choice('pending', 'approved', 'rejected'),
  origin: choice('all', 'proposed', 'generated', 'incubated', 'uploaded', 'imported', 'forked'),
  order: choice('oldest', 'newest'),
  of: id(256),
  candidate: id(128),
  tab: choice(...tabs),
  file: id(1024),
};

export type ReviewParameters = PageParameters<typeof schema>;

export const useReviewParameters = (): ReviewParameters => useParameters(schema);

/** What the inbox is asked for; null while the Scope is not known. */
export function filtersOf({ values }: ReviewParameters, scope: string | undefined): Filters | null {
  if (values.within !== 'all' && scope === undefined) return null;
  return {
    selection:
      values.within === 'all'
        ? { mode: 'all' }
        : values.within === 'scope'
          ? { mode: 'exact', scope_ids: [scope ?? ''] }
          : { mode: 'subtree', root_scope_id: scope ?? '' },
    status: values.status,
    family: values.family === 'all' ? null : values.family,
    origins: values.origin === 'all' ? null : [values.origin],
    order: values.order,
  };
}
