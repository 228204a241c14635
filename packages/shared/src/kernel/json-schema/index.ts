export { type JsonSchema, readSchema, SchemaRefused } from './schema.ts';
