/** Purposes of model calls, ascending, as statistics list them (spec 20 §9). */
export const usePurposes = [
  'experience_generation',
  'handoff_generation',
  'memory_extraction',
  'memory_indexing',
  'memory_recall',
  'skill_generation',
] as const;

export type UsePurpose = (typeof usePurposes)[number];

export type UseOperation = 'generation' | 'embedding';
