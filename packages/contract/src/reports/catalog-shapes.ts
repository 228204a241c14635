import { z } from 'zod';
import { int, scopeId, time, trimmed, uniqueStrings } from '../notation/shapes.ts';
import { requestTime, timeZone } from '../notation/times.ts';

/** Limits of the catalog (spec 30 §5.1). */
const maxReferences = 32;
const maxLabels = 32;

export const reportLocale = z.enum(['zh-CN', 'en']);
export const catalogState = z.enum(['included', 'archived']);

/** An id in a request is any text. One that is not known is 404. */
export const catalogId = trimmed(1, 256);

const projectKey = trimmed(1, 64);
const title = trimmed(1, 256);
const description = trimmed(1, 2000);
const workstreamKey = trimmed(1, 64);

export const workstreamKind = z.enum(['feature', 'bug', 'refactor', 'operations', 'research', 'other']);

const referenceKind = z.enum([
  'issue',
  'task',
  'pull_request',
  'branch',
  'feature',
  'release',
  'program',
  'other',
]);

const referenceFields = { kind: referenceKind, provider: trimmed(1, 64), external_id: trimmed(1, 256) };
const referenceUrl = trimmed(1, 2048);

/** A reference as stored and answered. Its `url` is any text, and no link unless a report makes it one (spec 30 §4.9.5). */
export const externalReference = z
  .strictObject({ ...referenceFields, url: referenceUrl.nullable() })
  .meta({ id: 'ExternalReference' });

export const externalReferenceInput = z
  .strictObject({ ...referenceFields, url: referenceUrl.nullable().default(null) })
  .meta({ id: 'ExternalReferenceInput' });

const references = z.array(externalReference).max(maxReferences);

const referencesInput = z
  .array(externalReferenceInput)
  .max(maxReferences, { error: `must have at most ${maxReferences} items`, abort: true })
  .refine((items) => new Set(items.map(referenceText)).size === items.length, {
    error: 'must not contain duplicates',
  })
  .meta({ uniqueItems: true });

function referenceText({ kind, provider, external_id, url }: ExternalReference): string {
  return JSON.stringify([kind, provider, external_id, url]);
}

const labels = uniqueStrings(trimmed(1, 128), 0, maxLabels);

export const projectDescriptor = z
  .strictObject({
    schema: z.literal('service.project.v1'),
    project_id: catalogId,
    project_key: projectKey,
    title,
    description: description.nullable(),
    default_locale: reportLocale,
    timezone: timeZone,
    catalog_state: catalogState,
    version: int(1),
  })
  .meta({ id: 'ProjectDescriptor' });

export const newProject = z.strictObject({
  project_key: projectKey,
  title,
  description: description.nullable().default(null),
  default_locale: reportLocale.default('zh-CN'),
  timezone: timeZone.default('UTC'),
});

const workstreamFields = {
  schema: z.literal('service.workstream.v1'),
  scope_id: scopeId,
  project_id: catalogId,
  key: workstreamKey.nullable(),
  title,
  kind: workstreamKind,
  catalog_state: catalogState,
  labels,
  version: int(1),
};

export const workstreamDescriptor = z
  .strictObject({ ...workstreamFields, external_refs: references })
  .meta({ id: 'WorkstreamDescriptor' });

/** The descriptor of an update: as answered, but a reference may leave its null `url` out. */
export const workstreamDescriptorInput = z
  .strictObject({ ...workstreamFields, external_refs: referencesInput })
  .meta({ id: 'WorkstreamDescriptorInput' });

export const newWorkstream = z.strictObject({
  project_id: catalogId,
  scope_id: scopeId,
  title,
  kind: workstreamKind,
  key: workstreamKey.nullable().default(null),
  catalog_state: catalogState.default('included'),
  external_refs: referencesInput.default([]),
  labels: labels.default([]),
});

export const activitySource = z.enum([
  'handoff_observation',
  'git_commit',
  'git_worktree',
  'coding_session',
  'other',
]);

export const timeBasis = z.enum([
  'source_reported',
  'host_observed',
  'first_seen',
  'current_only',
  'unknown',
]);

const agentFields = { provider: trimmed(1, 64), label: trimmed(1, 128) };
const vcsFields = { branch: trimmed(1, 256), head_revision: trimmed(1, 256) };

const activityTexts = {
  title: title.nullable(),
  summary: description.nullable(),
  session_id: trimmed(1, 256).nullable(),
};

/** An event as stored and answered: every field is there. */
export const reportActivity = z
  .strictObject({
    schema: z.literal('service.handoff-report-activity.v1'),
    event_id: z.string(),
    project_id: catalogId,
    scope_id: scopeId.nullable(),
    source: activitySource,
    source_event_id: trimmed(1, 256),
    source_ref: externalReference.nullable(),
    occurred_at: time.nullable(),
    observed_at: time,
    time_basis: timeBasis,
    ...activityTexts,
    agent: z
      .strictObject({ provider: agentFields.provider.nullable(), label: agentFields.label.nullable() })
      .nullable(),
    vcs_context: z
      .strictObject({
        branch: vcsFields.branch.nullable(),
        head_revision: vcsFields.head_revision.nullable(),
      })
      .nullable(),
    evidence_refs: references,
    trust: z.literal('untrusted_observation'),
  })
  .meta({ id: 'HandoffReportActivity' });

export const newActivity = z.strictObject({
  project_id: catalogId,
  scope_id: scopeId.nullable().default(null),
  source: activitySource,
  source_event_id: trimmed(1, 256),
  source_ref: externalReferenceInput.nullable().default(null),
  occurred_at: requestTime.nullable().default(null),
  time_basis: timeBasis,
  title: activityTexts.title.default(null),
  summary: activityTexts.summary.default(null),
  session_id: activityTexts.session_id.default(null),
  agent: z
    .strictObject({
      provider: agentFields.provider.nullable().default(null),
      label: agentFields.label.nullable().default(null),
    })
    .nullable()
    .default(null),
  vcs_context: z
    .strictObject({
      branch: vcsFields.branch.nullable().default(null),
      head_revision: vcsFields.head_revision.nullable().default(null),
    })
    .nullable()
    .default(null),
  evidence_refs: referencesInput.default([]),
});

const repositoryProvider = z.enum(['github', 'gitlab', 'local', 'other']);
const repositoryId = trimmed(1, 256).nullable();
const normalizedRemote = trimmed(1, 2048).nullable();
const subpath = trimmed(1, 1024).nullable();

export const repositoryRef = z
  .strictObject({
    provider: repositoryProvider,
    repository_id: repositoryId,
    normalized_remote: normalizedRemote,
    subpath,
  })
  .meta({ id: 'RepositoryRef', description: 'A hint: never an identity, evidence or a right.' });

export const repositoryRefInput = z
  .strictObject({
    provider: repositoryProvider,
    repository_id: repositoryId.default(null),
    normalized_remote: normalizedRemote.default(null),
    subpath: subpath.default(null),
  })
  .meta({ id: 'RepositoryRefInput' });

export const workspaceBinding = z
  .strictObject({
    schema: z.literal('service.workspace-binding.v1'),
    workspace_instance_id: catalogId,
    project_id: catalogId,
    repository_ref: repositoryRef,
    state: z.enum(['confirmed', 'detached']),
    confirmed_at: time,
    version: int(1),
  })
  .meta({ id: 'WorkspaceBinding' });

export type ReportLocale = z.infer<typeof reportLocale>;
export type CatalogState = z.infer<typeof catalogState>;
export type ExternalReference = z.infer<typeof externalReference>;
export type ProjectDescriptor = z.infer<typeof projectDescriptor>;
export type NewProject = z.infer<typeof newProject>;
export type WorkstreamDescriptor = z.infer<typeof workstreamDescriptor>;
export type NewWorkstream = z.infer<typeof newWorkstream>;
export type ActivitySource = z.infer<typeof activitySource>;
export type HandoffReportActivity = z.infer<typeof reportActivity>;
export type NewActivity = z.infer<typeof newActivity>;
export type RepositoryRef = z.infer<typeof repositoryRef>;
export type WorkspaceBinding = z.infer<typeof workspaceBinding>;
