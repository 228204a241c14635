import { z } from 'zod';
import { contextVersion } from '../context/operations.ts';
import { family, familyNames } from '../families/catalog.ts';
import { str } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { actor } from '../review/shapes.ts';

const check = z.enum(['ready', 'not_ready', 'unavailable', 'timeout', 'misconfigured', 'read_only']);

const readiness = z
  .strictObject({
    status: z.enum(['ready', 'degraded', 'not_ready']),
    checks: z.record(z.string(), check),
    reasons: z.record(z.string(), str(1, 512)).optional().meta({
      description:
        'Why a check of a model is not `ready`: the rule that its answer broke, never the content. If `checks` has no `inference.embedding`, its reason here is why the built-in embedder did not start.',
    }),
  })
  .meta({ id: 'Readiness' });

export const getLiveness = defineOperation({
  id: 'get_liveness',
  method: 'GET',
  path: '/health/live',
  tag: 'system',
  summary: 'Check whether the process answers',
  auth: 'public',
  status: 200,
  response: z.strictObject({ status: z.literal('ok') }),
  errors: [],
  run: 'direct',
  examples: [{ summary: 'Alive', response: { status: 'ok' } }],
});

export const getReadiness = defineOperation({
  id: 'get_readiness',
  method: 'GET',
  path: '/health/ready',
  tag: 'system',
  summary: 'Check whether the process can serve requests',
  description: 'The status is 503, with this body, if and only if `status` is `not_ready`.',
  auth: 'public',
  status: 200,
  response: readiness,
  responseHeaders: { 'Cache-Control': '`no-store`' },
  unavailableResponse: readiness,
  errors: [],
  run: 'direct',
  examples: [
    {
      summary: 'Ready',
      response: {
        status: 'ready',
        checks: {
          runtime: 'ready',
          database: 'ready',
          queue: 'ready',
          'worker.memory-flush': 'ready',
          'worker.candidate-generation': 'ready',
          'worker.remote-reconcile': 'ready',
        },
      },
    },
  ],
});

export const getCapabilities = defineOperation({
  id: 'get_capabilities',
  method: 'GET',
  path: '/v1/capabilities',
  tag: 'system',
  summary: 'List the capabilities of this deployment',
  auth: 'bearer',
  status: 200,
  response: z
    .strictObject({
      source_types: z.array(z.string()),
      artifact_families: z.array(family),
      memory_extraction: z.boolean(),
      experience_generation: z.boolean(),
      managed_skill_generation: z.boolean(),
      external_skill_registry: z.boolean(),
      handoff_generation: z.boolean(),
      search_modes: z.array(z.enum(['auto', 'fts', 'vector', 'hybrid'])),
      context_versions: z.array(contextVersion),
      memory_extractor: z.enum(['builtin', 'model']),
      memory_extraction_profile: z.enum(['coding', 'conversation']),
    })
    .meta({ id: 'Capabilities' }),
  errors: [],
  run: 'direct',
  examples: [
    {
      summary: 'The defaults',
      response: {
        source_types: ['content'],
        artifact_families: familyNames,
        memory_extraction: true,
        experience_generation: true,
        managed_skill_generation: true,
        external_skill_registry: false,
        handoff_generation: true,
        search_modes: ['auto', 'fts'],
        context_versions: [...contextVersion.options],
        memory_extractor: 'builtin',
        memory_extraction_profile: 'coding',
      },
    },
  ],
});

export const getCaller = defineOperation({
  id: 'get_caller',
  method: 'GET',
  path: '/v1/caller',
  tag: 'system',
  summary: 'Get the tenant and the role of the token',
  description:
    'Says whose data the token opens, and what it may do. Without authentication the role is `admin`, and so it is for each token ' +
    'of a tenant. Caches must not store any answer of this path.',
  auth: 'bearer',
  status: 200,
  response: z
    .strictObject({
      tenant: str(1, 256).meta({ description: 'The name of the tenant in the deployment.' }),
      authentication: z.boolean().meta({ description: 'Whether the deployment asks for a token.' }),
      actor: actor.nullable().meta({ description: 'The label of the token; null without one.' }),
      role: z.enum(['reader', 'writer', 'reviewer', 'admin']),
    })
    .meta({ id: 'CallerView' }),
  responseHeaders: { 'Cache-Control': '`no-store`, on errors too.' },
  noStore: true,
  errors: [],
  run: 'direct',
  examples: [
    {
      summary: 'A token with a label',
      response: { tenant: 'acme', authentication: true, actor: { label: 'ci' }, role: 'admin' },
    },
  ],
});

export const systemOperations = {
  get_liveness: getLiveness,
  get_readiness: getReadiness,
  get_capabilities: getCapabilities,
  get_caller: getCaller,
};
