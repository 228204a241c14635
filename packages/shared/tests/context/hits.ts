import type { ContextFormat } from '@continuity/contract/context';
import { type ContextHit, toExperienceHit, toMemoryHit } from '../../src/context/context-hit.ts';
import type { ContextSize } from '../../src/context/fit-hits.ts';
import { layoutOf } from '../../src/context/layout.ts';

const here = 'here';

/** The size of a context of Scope `here`. */
export function sizeOf(maxBytes: number, format: ContextFormat = 'v1', maxItems = 8): ContextSize {
  return { layout: layoutOf(format, here), maxBytes, maxItems };
}

/** A hit that has something to say. */
export function required(hit: ContextHit | undefined): ContextHit {
  if (hit === undefined) throw new Error('This has nothing to say.');
  return hit;
}

/** The `n`th entry of the Scope Memory of a Scope, the current one unless another is named. */
export function memoryOf(text: string, n = 0, scopeId = here): ContextHit {
  const memory_ref = { family: 'memory', artifact_id: 'memory', revision: 1 };
  const citation = { memory_ref, entry_id: uuid(n), entry_version_id: uuid(n) };
  return required(toMemoryHit(here, scopeId, { citation, version: 1, text }));
}

/** The `n`th Experience of a Scope; its text is of four lines. */
export function experienceOf(text: string, n = 0, scopeId = here): ContextHit {
  const content = { situation: text, action: text, outcome: text, lesson: text };
  const revision = { artifact_id: uuid(n), revision: 1, content, created_at: new Date(0) };
  return required(toExperienceHit(here, scopeId, revision));
}

function uuid(n: number): string {
  return `0199c1a0-7d10-7b6e-9a51-${n.toString(16).padStart(12, '0')}`;
}
