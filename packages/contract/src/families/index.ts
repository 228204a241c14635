export * from './catalog.ts';
export * from './family-spec.ts';
