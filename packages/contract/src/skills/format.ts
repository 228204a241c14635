// The rules of the package format without its shapes: what loads this loads no validation library.
export * from './agent-kinds.ts';
export * from './characters.ts';
export * from './package-limits.ts';
export * from './package-reasons.ts';
