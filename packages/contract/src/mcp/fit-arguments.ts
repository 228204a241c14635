import { isObject } from '../notation/shapes.ts';
import { argumentsOf, selectsScopes } from './describe-tool.ts';
import type { ToolField, ToolShape } from './tool-shape.ts';
import { type ToolName, type ToolSpec, toolTable } from './tools.ts';

/**
 * Fits arguments that follow a tool's schema to the exact shape of its operation (spec 70 §5.1): null for an optional field is as left
 * out, a field that the shape requires and allows to be null is null where it is left out, and defaults of the tool are filled in.
 * Anything else stays as it is, for the shape to judge.
 *
 * @param scope the Scope of a call that names none
 */
export function fitToolArguments(
  name: ToolName,
  args: Record<string, unknown>,
  scope?: string,
): Record<string, unknown> {
  const { fields } = argumentsOf(name);
  const { defaults }: ToolSpec = toolTable[name];
  const scoped = Object.entries(scope === undefined ? {} : scopeDefaults(fields, scope));
  const missing = scoped.filter(([field]) => (args[field] ?? null) === null);
  return { ...defaults, ...fitObject(fields, { ...args, ...Object.fromEntries(missing) }) };
}

/** The Scope of the caller in the fields that name Scopes. */
function scopeDefaults(fields: Record<string, ToolField>, scope: string): Record<string, unknown> {
  const { scope_id: named, selection } = fields;
  return {
    ...(named !== undefined && { scope_id: scope }),
    ...(selection !== undefined &&
      selectsScopes('selection', selection) && { selection: { mode: 'exact', scope_ids: [scope] } }),
  };
}

function fit(shape: ToolShape, value: unknown): unknown {
  if (shape.type === 'array' && Array.isArray(value)) return value.map((item) => fit(shape.items, item));
  return shape.type === 'object' && isObject(value) ? fitObject(shape.fields, value) : value;
}

function fitObject(
  fields: Record<string, ToolField>,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const given = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return [[name, item]];
    return item === null && !field.isRequired ? [] : [[name, fit(field.shape, item)]];
  });
  const nulls = Object.entries(fields)
    .filter(([name, { isRequired, isNullable }]) => isRequired && isNullable && !Object.hasOwn(value, name))
    .map(([name]): [string, null] => [name, null]);
  return Object.fromEntries([...given, ...nulls]);
}
