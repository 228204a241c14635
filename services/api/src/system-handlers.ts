import { familyNames } from '@continuity/contract';
import { contextVersion } from '@continuity/contract/context';
import type { systemOperations } from '@continuity/contract/system';
import type { Settings } from '@continuity/kernel/config';
import type { TenantId } from '@continuity/kernel/database';
import { runAsTenant } from '@continuity/kernel/fairness';
import { generationAddress } from '@continuity/shared/inference';
import { listSourceTypes } from '@continuity/shared/sources';
import { findTenantName, isAuthenticationOn } from '@continuity/shared/tenants';
import type { OperationDeps } from './assemble-runtime.ts';
import type { BoundTable } from './bind-handlers.ts';
import type { EmbeddingProfileCheck, ModelCheck } from './models.ts';
import { readReadiness } from './readiness.ts';
import type { QueueProbes, Servers } from './servers.ts';

/** Dependencies of the system operations: what readiness checks besides the servers. */
export interface SystemDeps {
  /** Null if no generation model is configured. */
  generation: ModelCheck | null;
  /** Null if no embedding model is configured. */
  embedding: EmbeddingProfileCheck | null;
}

/** Handlers of the operations on the process itself. They also answer before the runtime is assembled. */
export function systemHandlers(
  settings: Settings,
  servers: Servers,
  { generation, embedding }: SystemDeps,
): BoundTable<typeof systemOperations> {
  return {
    get_liveness: async () => ({ body: { status: 'ok' } }),

    get_readiness: async () => {
      const readiness = await readReadiness(servers, {
        generation,
        embedding,
        hasFailedEmbedder: settings.EMBEDDER_FAILED,
      });
      const headers = { 'Cache-Control': 'no-store' };
      if (readiness.status !== 'not_ready') return { body: readiness, headers };
      return { body: readiness, status: 503, headers: { ...headers, 'Retry-After': '1' } };
    },

    get_capabilities: async ({ tenantId, epoch }) => ({
      body: {
        ...(await runAsTenant(tenantId, () => capabilitiesOf(servers.require(epoch).deps, tenantId), epoch)),
        artifact_families: familyNames,
        memory_extraction: true,
        experience_generation: settings.EXPERIENCE_GENERATION,
        managed_skill_generation: settings.SKILL_GENERATION,
        handoff_generation: settings.HANDOFF_GENERATION,
        search_modes: embedding?.embedder() ? ['auto', 'fts', 'vector', 'hybrid'] : ['auto', 'fts'],
        context_versions: [...contextVersion.options],
        memory_extractor: await extractorOf(settings, servers.queueOf(epoch)),
        memory_extraction_profile: settings.MEMORY_EXTRACTION_PROFILE,
      },
    }),

    get_caller: async ({ tenantId, epoch, actor }) => ({
      body: {
        tenant: await runAsTenant(
          tenantId,
          () => findTenantName(servers.require(epoch).deps.database, tenantId),
          epoch,
        ),
        authentication: isAuthenticationOn(settings),
        actor,
        role: 'admin',
      },
    }),
  };
}

/** The extractor that the workers use; that of the own settings until one has said so. */
async function extractorOf(settings: Settings, queue: QueueProbes): Promise<'builtin' | 'model'> {
  const { extractor } = await queue.liveModels();
  return extractor ?? (generationAddress(settings) === undefined ? 'builtin' : 'model');
}

/** What a tenant has of its own. */
async function capabilitiesOf(
  { database, skillHosts }: OperationDeps,
  tenantId: TenantId,
): Promise<{ source_types: string[]; external_skill_registry: boolean }> {
  return {
    source_types: ['content', ...(await listSourceTypes(database.sql, tenantId))],
    external_skill_registry: await skillHosts.hasRoots(tenantId),
  };
}
