import type { SourceTypeRef } from '@continuity/contract';
import type { Lineage } from '../family.ts';

/** Puts the Source that records the request before the other Sources (spec 10 §6.1.5). */
export function withSource<Cited extends Lineage>(source: SourceTypeRef, cited: Cited): Cited {
  return { ...cited, sources: [source, ...cited.sources] };
}
