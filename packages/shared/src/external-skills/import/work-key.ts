import type { ImportMode } from '@continuity/contract/external-skills';
import type { TenantId } from '@continuity/kernel/database';
import { digestBytes } from '@continuity/kernel/json';
import type { GeneratorIdentity } from '../../generation/index.ts';

/** The fields that make two imports the same work. The reason is not one of them. */
interface ImportWork {
  tenantId: TenantId;
  scopeId: string;
  hostId: string;
  externalSkillId: string;
  fingerprint: string;
  mode: ImportMode;
  /** The generator of a fork; null for an exact import, which needs none. */
  generator: GeneratorIdentity | null;
}

/** The key of an import, a SHA-256: requests of one key are the same work (spec 40 §2.1). */
export function importKeyOf({ tenantId, scopeId, hostId, externalSkillId, ...work }: ImportWork): Buffer {
  const place = { tenant: tenantId, scope: scopeId, host: hostId };
  const key = { operation: 'import_external_skill', ...place, external_skill: externalSkillId, ...work };
  return digestBytes(key);
}
