/** Example request; its answer shows a Scope with four Sources and two context preparations on one day. */
export const exampleRequest = {
  selection: { mode: 'exact', scope_ids: ['project-alpha'] },
  period: 'today',
};

const period = { preset: 'today', start_date: '2026-11-20', end_date: '2026-11-20', timezone: 'UTC' };

const use = {
  generation: { requests: 0, input_tokens: 0, output_tokens: 0 },
  embedding: { requests: 2, input_tokens: 41, output_tokens: null },
};

const recalled = {
  preparations: 2,
  ready_preparations: 1,
  comparable_preparations: 1,
  baseline_tokens: 950,
  recalled_tokens: 204,
  token_reduction: 746,
};

const byPurpose = [{ purpose: 'memory_recall', ...use }];

const sections = {
  inventory: {
    sources: { total: 4, memory_processed: 3, memory_pending: 1 },
    artifacts: {
      total: 2,
      by_family: [
        { family: 'experience', total: 1 },
        { family: 'memory', total: 1 },
      ],
    },
    candidates: {
      total: 1,
      pending: 0,
      approved: 1,
      rejected: 0,
      by_family: [{ family: 'experience', total: 1, pending: 0, approved: 1, rejected: 0 }],
    },
    memory: {
      entries: {
        total: 5,
        active: 4,
        inactive: 1,
        by_kind: [
          { kind: 'decision', total: 1, active: 1, inactive: 0 },
          { kind: 'fact', total: 4, active: 3, inactive: 1 },
        ],
      },
    },
  },
  usage: {
    period,
    totals: use,
    by_purpose: byPurpose,
    daily: [{ date: '2026-11-20', ...use, by_purpose: byPurpose }],
  },
  recall: {
    period,
    estimator: { estimator_id: 'character:weighted', version: '1' },
    totals: recalled,
    daily: [{ date: '2026-11-20', ...recalled }],
  },
};

export const exampleStats = {
  selection: exampleRequest.selection,
  scope_ids: ['project-alpha'],
  as_of: '2026-11-20T09:30:00.000Z',
  ...sections,
  by_scope: [{ scope_id: 'project-alpha', ...sections }],
};
