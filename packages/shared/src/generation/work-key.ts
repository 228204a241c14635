import type { ArtifactRef } from '@continuity/contract';
import type { TenantId } from '@continuity/kernel/database';
import { canonicalJson, digestBytes } from '@continuity/kernel/json';
import type { References } from '../review/index.ts';
import type { GeneratorIdentity } from './port.ts';

/** The input of a generation, without the reason and the order of the evidence. */
interface Work {
  tenantId: TenantId;
  scopeId: string;
  operation: string;
  origin: string | null;
  target: ArtifactRef | null;
  /** Without duplicates. */
  references: References;
  generator: GeneratorIdentity;
}

/** The key of a generation, a SHA-256: requests of one key are the same work (spec 40 §2.1). */
export function workKeyOf(work: Work): Buffer {
  const { tenantId, scopeId, operation, origin, target, references, generator } = work;
  const { source_refs, artifact_refs } = references;
  const evidence = [...source_refs, ...artifact_refs].map((ref) => canonicalJson(ref)).sort();
  const key = { tenant: tenantId, scope: scopeId, operation, origin, target, evidence, generator };
  return digestBytes(key);
}
