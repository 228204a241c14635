export * from './shapes.ts';
export * from './text.ts';
