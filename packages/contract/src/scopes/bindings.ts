import { z } from 'zod';
import { scopeId } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleBinding, exampleFirstWrite } from './examples.ts';
import { scopeBinding, scopeBindingKey, scopeDescriptor } from './shapes.ts';

/** Bound of the keys of one resolution (spec 10 §5). */
const maxKeys = 32;

const bindingTag = { tag: 'scope-bindings', auth: 'bearer', status: 200, run: 'direct' } as const;

export const resolveScopeBinding = defineOperation({
  ...bindingTag,
  id: 'resolve_scope_binding',
  method: 'POST',
  path: '/v1/scope-bindings/resolve',
  summary: 'Find the Scope that applies',
  description: 'The explicit one, else that of the first bound key, else the default Scope. It never writes.',
  body: z.strictObject({
    explicit_scope_id: scopeId.nullish(),
    binding_keys: z.array(scopeBindingKey).max(maxKeys).default([]),
  }),
  response: scopeDescriptor,
  errors: ['scope_not_found'],
  examples: [
    {
      summary: 'A session that is not bound, in a workspace that is',
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
  description: 'Makes the binding, or moves it.',
  body: scopeBinding,
  response: scopeBinding,
  errors: ['scope_not_found'],
  examples: [{ summary: 'A workspace', body: exampleBinding, response: exampleBinding }],
});

export const clearScopeBinding = defineOperation({
  ...bindingTag,
  id: 'clear_scope_binding',
  method: 'POST',
  path: '/v1/scope-bindings/clear',
  summary: 'Clear the binding of a key',
  description: '`cleared` is false where nothing was bound. The Scope stays.',
  body: z.strictObject({ key: scopeBindingKey }),
  response: z.strictObject({ cleared: z.boolean() }),
  errors: [],
  examples: [{ summary: 'A workspace', body: { key: exampleBinding.key }, response: { cleared: true } }],
});

export const scopeBindingOperations = {
  resolve_scope_binding: resolveScopeBinding,
  set_scope_binding: setScopeBinding,
  clear_scope_binding: clearScopeBinding,
};
