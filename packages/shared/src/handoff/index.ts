export * from './content-rules.ts';
export * from './shapes.ts';
