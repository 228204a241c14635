export { compileSchema, InvalidSchemaError, type Validator } from './compile.ts';
