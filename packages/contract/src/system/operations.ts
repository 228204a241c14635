import { z } from 'zod';
import { contextVersion } from '../context/operations.ts';
import { family, familyNames } from '../families/catalog.ts';
import { defineOperation } from '../operations/operation.ts';

const check = z.enum(['ready', 'not_ready', 'unavailable', 'timeout', 'misconfigured']);

const readiness = z
  .strictObject({ status: z.enum(['ready', 'degraded', 'not_ready']), checks: z.record(z.string(), check) })
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

export const systemOperations = {
  get_liveness: getLiveness,
  get_readiness: getReadiness,
  get_capabilities: getCapabilities,
};
