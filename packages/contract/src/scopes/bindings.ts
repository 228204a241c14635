import { z } from 'zod';
import { scopeId } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleBinding, exampleFirstWrite } from './examples.ts';
import { scopeBinding, scopeBindingKey, scopeDescriptor } from './shapes.ts';

/** Limit of the keys of one request (spec 10 §5). */
const maxKeys = 32;

const bindingTag = { tag: 'scope-bindings', auth: 'bearer', status: 200, run: 'direct' } as const;

export const resolveScopeBinding = defineOperation({
  ...bindingTag,
  id: 'resolve_scope_binding',
  method: 'POST',
  path: '/v1/scope-bindings/resolve',
  summary: 'Find the Scope that applies',
  description:
    'Returns the explicit Scope, else the Scope of the first bound key, else the default Scope. An unknown explicit Scope is ' +
    '404. The request never writes.',
  body: z.strictObject({
    explicit_scope_id: scopeId.nullish(),
    binding_keys: z.array(scopeBindingKey).max(maxKeys).default([]),
  }),
  response: scopeDescriptor,
  errors: ['scope_not_found'],
  examples: [
    {
      summary: 'An unbound session in a bound workspace',
      body: {
        binding_keys: [
          { integration: 'claude_code', kind: 'session', external_id: 'ses_19' },
          exampleBinding.key,
        ],
      },
      response: exampleFirstWrite,
    },
  ],
});

export const setScopeBinding = defineOperation({
  ...bindingTag,
  id: 'set_scope_binding',
  method: 'PUT',
  path: '/v1/scope-bindings',
  summary: 'Bind a key to a Scope',
  description: 'Creates the binding, or moves an existing one to this Scope.',
  body: scopeBinding,
  response: scopeBinding,
  errors: ['scope_not_found'],
  examples: [{ summary: 'Bind a workspace', body: exampleBinding, response: exampleBinding }],
});

export const clearScopeBinding = defineOperation({
  ...bindingTag,
  id: 'clear_scope_binding',
  method: 'POST',
  path: '/v1/scope-bindings/clear',
  summary: 'Clear the binding of a key',
  description: 'Deletes the binding and keeps the Scope. `cleared` is false if the key was not bound.',
  body: z.strictObject({ key: scopeBindingKey }),
  response: z.strictObject({ cleared: z.boolean() }),
  errors: [],
  examples: [
    { summary: 'Clear a workspace', body: { key: exampleBinding.key }, response: { cleared: true } },
  ],
});

export const scopeBindingOperations = {
  resolve_scope_binding: resolveScopeBinding,
  set_scope_binding: setScopeBinding,
  clear_scope_binding: clearScopeBinding,
};
