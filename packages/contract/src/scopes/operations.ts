import { z } from 'zod';
import { decimal, int, scopeId, scopeSelection, str, text } from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import { exampleDefault, exampleFirstWrite, exampleProject, exampleScope } from './examples.ts';
import { scopeDescriptor, scopeFields, scopePage } from './shapes.ts';

const scopeTag = { tag: 'scopes', auth: 'bearer', status: 200, run: 'direct' } as const;
const scopeParams = z.object({ scope_id: scopeId });

export const listScopes = defineOperation({
  ...scopeTag,
  id: 'list_scopes',
  method: 'GET',
  path: '/v1/scopes',
  summary: 'List the Scopes of the tenant',
  description:
    'Lists Scopes ascending by `scope_id`. A page may be shorter than `limit` if its descriptors are large. With `search`, it may also ' +
    'be short or empty although more follow: continue with `next_cursor`. A cursor expires after 3600 s.',
  query: z.object({
    limit: decimal(1, 1000).default(1000),
    cursor: str(1, 4096).optional(),
    search: text(1, 256).optional().meta({ description: 'Part of the id or of the title, in any case.' }),
    parent: scopeId.optional().meta({ description: 'The Scope whose direct children are listed.' }),
  }),
  response: scopePage,
  errors: ['invalid_cursor', 'cursor_expired'],
  examples: [
    {
      summary: 'Two Scopes',
      response: { items: [exampleDefault, exampleFirstWrite], next_cursor: null },
    },
  ],
});

export const createScope = defineOperation({
  ...scopeTag,
  id: 'create_scope',
  method: 'POST',
  path: '/v1/scopes',
  summary: 'Create a Scope',
  description:
    'The service generates the `scope_id`. A repeat with the same `idempotency_key` and an equal body returns the Scope ' +
    'in its current version. To choose the id yourself, do not call this operation: the first data write with the id ' +
    'creates the Scope.',
  bodyLimit: 4 * MiB,
  body: scopeFields.extend({ idempotency_key: text(1, 256) }),
  status: 201,
  response: scopeDescriptor,
  responseHeaders: { Location: 'Path of the Scope.' },
  errors: ['scope_not_found', 'scope_conflict'],
  examples: [
    {
      summary: 'A Scope without a parent',
      body: {
        title: 'Atlas billing: dunning rework',
        summary: 'Retries, reminders and write-offs.',
        idempotency_key: 'atlas-411',
      },
      response: {
        ...exampleScope,
        scope_id: '01a0521c-94ff-7b02-8e11-90c3aa17f0d2',
        parent_scope_id: null,
        context_references: [],
        external_references: [],
      },
    },
    {
      summary: 'A Scope with a parent and a Context Reference',
      body: {
        title: exampleScope.title,
        summary: exampleScope.summary,
        parent_scope_id: exampleScope.parent_scope_id,
        context_references: exampleScope.context_references,
        external_references: exampleScope.external_references,
        idempotency_key: 'atlas-412',
      },
      response: exampleScope,
    },
  ],
});

export const getScope = defineOperation({
  ...scopeTag,
  id: 'get_scope',
  method: 'GET',
  path: '/v1/scopes/{scope_id}',
  summary: 'Get a Scope',
  params: scopeParams,
  response: scopeDescriptor,
  errors: ['scope_not_found'],
  examples: [
    {
      summary: 'A Scope created by its first data write',
      parameters: { scope_id: exampleFirstWrite.scope_id },
      response: exampleFirstWrite,
    },
  ],
});

export const updateScope = defineOperation({
  ...scopeTag,
  id: 'update_scope',
  isUnsafeToRepeat: true,
  method: 'PUT',
  path: '/v1/scopes/{scope_id}',
  summary: 'Replace the descriptor of a Scope',
  description:
    'Replaces all fields: the service removes an absent parent and empties an absent list. A new parent changes no other Scope, ' +
    'binding or data.',
  params: scopeParams,
  bodyLimit: 4 * MiB,
  body: scopeFields.extend({ expected_version: int(1) }),
  response: scopeDescriptor,
  errors: ['scope_not_found', 'scope_conflict'],
  examples: [
    {
      summary: 'Change title and summary',
      parameters: { scope_id: exampleProject.scope_id },
      body: { title: exampleProject.title, summary: exampleProject.summary, expected_version: 1 },
      response: exampleProject,
    },
  ],
});

export const getDefaultScope = defineOperation({
  ...scopeTag,
  id: 'get_default_scope',
  method: 'GET',
  path: '/v1/scopes/default',
  summary: 'Get the default Scope of the tenant',
  response: scopeDescriptor,
  errors: ['scope_not_found'],
  examples: [{ summary: 'The default Scope of a new tenant', response: exampleDefault }],
});

export const setDefaultScope = defineOperation({
  ...scopeTag,
  id: 'set_default_scope',
  method: 'PUT',
  path: '/v1/scopes/default',
  summary: 'Make a Scope the default of the tenant',
  description: 'Changes no Scope, binding or data.',
  body: z.strictObject({ scope_id: scopeId }),
  response: scopeDescriptor,
  errors: ['scope_not_found'],
  examples: [
    {
      summary: 'Make a project the default',
      body: { scope_id: exampleFirstWrite.scope_id },
      response: exampleFirstWrite,
    },
  ],
});

export const resolveScopeSelection = defineOperation({
  ...scopeTag,
  id: 'resolve_scope_selection',
  method: 'POST',
  path: '/v1/scopes/selection/resolve',
  summary: 'Resolve a selection to its Scopes',
  description:
    'Returns the Scopes ascending by `scope_id`. A subtree starts with its root and continues level by level. A selection of more ' +
    'than 10,000 Scopes is 422.',
  bodyLimit: 4 * MiB,
  body: z.strictObject({ selection: scopeSelection }),
  response: scopePage,
  errors: ['scope_not_found'],
  examples: [
    {
      summary: 'One Scope',
      body: { selection: { mode: 'exact', scope_ids: [exampleFirstWrite.scope_id] } },
      response: { items: [exampleFirstWrite], next_cursor: null },
    },
    {
      summary: 'A project and its descendants',
      body: { selection: { mode: 'subtree', root_scope_id: exampleFirstWrite.scope_id } },
      response: { items: [exampleFirstWrite, exampleScope], next_cursor: null },
    },
  ],
});

export const scopeOperations = {
  list_scopes: listScopes,
  create_scope: createScope,
  get_scope: getScope,
  update_scope: updateScope,
  get_default_scope: getDefaultScope,
  set_default_scope: setDefaultScope,
  resolve_scope_selection: resolveScopeSelection,
};
