import type {
  HandoffReportActivity,
  ProjectDescriptor,
  WorkspaceBinding,
  WorkstreamDescriptor,
} from './catalog-shapes.ts';

const projectId = '019a0c2e-7b10-7c44-9a51-2f6f0f4f9d10';

export const exampleProject: ProjectDescriptor = {
  schema: 'service.project.v1',
  project_id: projectId,
  project_key: 'shop',
  title: 'Web shop',
  description: null,
  default_locale: 'en',
  timezone: 'Europe/Berlin',
  catalog_state: 'included',
  version: 1,
};

export const exampleWorkstream: WorkstreamDescriptor = {
  schema: 'service.workstream.v1',
  scope_id: 'checkout-api',
  project_id: projectId,
  key: 'SHOP-7',
  title: 'Checkout API',
  kind: 'feature',
  catalog_state: 'included',
  external_refs: [
    {
      kind: 'issue',
      provider: 'github',
      external_id: 'shop/7',
      url: 'https://github.com/acme/shop/issues/7',
    },
  ],
  labels: [],
  version: 1,
};

export const exampleActivity: HandoffReportActivity = {
  schema: 'service.handoff-report-activity.v1',
  event_id: '019a0c5d-0c6e-7f3a-8d22-5b0a9f3c1e77',
  project_id: projectId,
  scope_id: 'checkout-api',
  source: 'git_commit',
  source_event_id: 'git:9f2c1d7',
  source_ref: null,
  occurred_at: '2026-10-01T10:02:00.000Z',
  observed_at: '2026-10-01T10:03:11.402Z',
  time_basis: 'source_reported',
  title: 'Keep 410, adapt the client',
  summary: null,
  agent: null,
  session_id: null,
  vcs_context: { branch: 'cart-410', head_revision: '9f2c1d7' },
  evidence_refs: [],
  trust: 'untrusted_observation',
};

export const exampleWorkspace: WorkspaceBinding = {
  schema: 'service.workspace-binding.v1',
  workspace_instance_id: 'laptop-7:/home/ana/shop',
  project_id: projectId,
  repository_ref: {
    provider: 'github',
    repository_id: null,
    normalized_remote: 'https://github.com/acme/shop',
    subpath: 'services/checkout',
  },
  state: 'confirmed',
  confirmed_at: '2026-10-01T08:30:00.000Z',
  version: 1,
};
