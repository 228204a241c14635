export * from './catalog.ts';
export * from './catalog.ts';
export * from './family.ts';
