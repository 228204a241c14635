export * from './package-limits.ts';
export * from './shapes.ts';
export * from './text-shapes.ts';
