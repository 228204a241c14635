/** A Scope in the examples of the Scope operations. */
export const exampleScope = {
  scope_id: '01a0521c-9500-726b-b2a7-4de452e6b438',
  title: 'Atlas billing: dunning rework',
  summary: 'Retries, reminders and write-offs.',
  parent_scope_id: 'project:atlas-billing',
  context_references: ['team:payments-conventions'],
  external_references: [{ kind: 'issue', value: 'https://git.example.com/atlas/billing/issues/412' }],
  version: 1,
};

export const exampleFirstWrite = {
  scope_id: 'project:atlas-billing',
  title: 'project:atlas-billing',
  summary: 'Created on first write.',
  parent_scope_id: null,
  context_references: [],
  external_references: [],
  version: 1,
};

export const exampleProject = {
  ...exampleFirstWrite,
  title: 'Atlas billing',
  summary: 'Invoices, payments and reminders.',
  version: 2,
};

export const exampleDefault = {
  ...exampleFirstWrite,
  scope_id: '01a0521b-1c00-7d3e-9a55-0f6b8e2c7a91',
  title: 'Default',
  summary: 'Default context',
};

export const exampleBinding = {
  key: { integration: 'claude_code', kind: 'workspace', external_id: 'wks_7f3a' },
  scope_id: 'project:atlas-billing',
};
