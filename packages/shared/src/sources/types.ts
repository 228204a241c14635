import { invalidRequest } from '@continuity/shared/kernel';

/** The Source types that need no definition (spec 10 §11.4). */
export const builtInSourceTypes = [
  'content',
  'skill-usage',
  'skill-package-upload',
  'external-skill-snapshot',
] as const;

/** 422 for a type that nothing in the tenant can have. */
export function checkSourceType(sourceType: string): void {
  if ((builtInSourceTypes as readonly string[]).includes(sourceType)) return;
  throw invalidRequest([{ path: 'source_type', message: `must be one of ${builtInSourceTypes.join(', ')}` }]);
}
