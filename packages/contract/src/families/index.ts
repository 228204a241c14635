export * from './catalogue.ts';
export * from './family-spec.ts';
