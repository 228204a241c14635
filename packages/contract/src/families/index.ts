export * from './catalog.ts';
export * from './family.ts';
export * from './names.ts';
