import { z } from 'zod';
import type { OperationSpec } from '../operations/operation.ts';
import { operationTable } from '../operations/table.ts';
import { type ToolSchema, toToolSchema } from './tool-schema.ts';
import { type ToolField, type ToolShape, toolShapeOf } from './tool-shape.ts';
import { type ToolName, type ToolSpec, toolTable } from './tools.ts';

/** A tool as `tools/list` shows it. */
export interface Tool {
  name: ToolName;
  title: string;
  description: string;
  inputSchema: ToolSchema & { type: 'object'; properties: Record<string, ToolSchema> };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: false;
  };
}

/** What a schema says of the Scope, first of all parameters. */
const scopeDescription = 'The Scope: a project, team or person.';

const shapes = new Map<ToolName, ToolShape & { type: 'object' }>();

/** Exact shape of a tool's arguments: path parameters, query and body of its operation as one flat object. */
export function argumentsOf(name: ToolName): ToolShape & { type: 'object' } {
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const { params, query, body = z.strictObject({}) }: OperationSpec = operationTable[name];
  const shape = toolShapeOf(body);
  if (shape.type !== 'object' && shape.type !== 'free') throw new Error(`The body of ${name} is no object.`);
  const inBody = shape.type === 'object' ? shape.fields : {};
  const fields = { ...fieldsOf(params), ...fieldsOf(query), ...inBody };
  const read = { type: 'object' as const, description: '', fields };
  shapes.set(name, read);
  return read;
}

function fieldsOf(shape: z.ZodObject | undefined): Record<string, ToolField> {
  const read = shape && toolShapeOf(shape);
  return read?.type === 'object' ? read.fields : {};
}

/**
 * Describes a tool for `tools/list`.
 *
 * @param scope the Scope that a call means which names none; undefined if each call has to name one
 */
export function describeTool(name: ToolName, scope?: string): Tool {
  const { description, effect, isIdempotent, defaults = {}, hidden = [] }: ToolSpec = toolTable[name];
  const fields = Object.entries(argumentsOf(name).fields)
    .filter(([field]) => !hidden.includes(field))
    .map(([field, value]) => [field, withDefault(value, defaults[field])] as const)
    .map(([field, value]) => [field, describeScoped(field, value, scope)] as const);
  const schema = toToolSchema({ type: 'object', description: '', fields: Object.fromEntries(fields) });
  return {
    name,
    title: operationTable[name].summary,
    description,
    inputSchema: schema as Tool['inputSchema'],
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
  };
}

/** The field with the default of the tool in place of that of the operation. */
function withDefault(field: ToolField, value: string | number | boolean | undefined): ToolField {
  return value === undefined ? field : { ...field, shape: { ...field.shape, default: value } };
}

/** A field with the Scope of the caller as its default, where it names Scopes. */
function describeScoped(name: string, field: ToolField, scope: string | undefined): ToolField {
  if (name === 'scope_id') return describeScope(field, scope);
  if (scope === undefined || !selectsScopes(name, field)) return field;
  const description = `${field.shape.description} Default: \`${scope}\` alone.`;
  return { ...field, isRequired: false, shape: { ...field.shape, description } };
}

/** Whether a field has to select Scopes. */
export function selectsScopes(name: string, { isRequired, shape }: ToolField): boolean {
  return name === 'selection' && isRequired && shape.type === 'object';
}

function describeScope(field: ToolField, scope: string | undefined): ToolField {
  const shape = { ...field.shape, description: scopeDescription };
  return scope === undefined
    ? { ...field, shape }
    : { ...field, isRequired: false, shape: { ...shape, default: scope } };
}
