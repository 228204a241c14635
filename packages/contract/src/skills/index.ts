export * from './format.ts';
export * from './shapes.ts';
export * from './text-shapes.ts';
