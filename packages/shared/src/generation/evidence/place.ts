import type { ScopeKey } from '@continuity/kernel/database';
import type { EvidencePlace } from '../../evidence/index.ts';

/** The Scope of evidence that exists. */
export type EvidencePlaceKey = EvidencePlace & { scopeKey: ScopeKey };
