/** The Source types that need no definition (spec 10 §11.4). */
export const builtInSourceTypes = [
  'content',
  'skill-usage',
  'skill-package-upload',
  'external-skill-snapshot',
] as const;
