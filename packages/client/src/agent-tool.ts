/** A schema of a tool's arguments: the part of JSON Schema that all models take. */
export interface AgentToolSchema {
  type: string;
  description?: string;
  properties?: { readonly [name: string]: AgentToolSchema };
  required?: readonly string[];
  items?: AgentToolSchema;
  enum?: readonly (string | number | boolean)[];
}

/** A tool of an agent. `generated/agent-tools.ts` derives it from the contract. */
export interface AgentTool {
  /** The method of the client. */
  method: string;
  description: string;
  inputSchema: AgentToolSchema;
  /** Values of fields that a call leaves out. */
  defaults: Readonly<Record<string, unknown>>;
  /** Paths of the fields that the service demands and that can be null. */
  nulls: readonly string[];
}

type Fields = Record<string, unknown>;

/**
 * The request of a call: a field that is optional in the schema and null is left out, and one that the service demands is null where a call
 * leaves it out. The service judges the rest.
 */
export function toRequest({ inputSchema, defaults, nulls }: AgentTool, args: Fields): Fields {
  return { ...defaults, ...fitObject(inputSchema, args, nulls, '') };
}

function fitObject(
  { properties = {} }: AgentToolSchema,
  value: Fields,
  nulls: readonly string[],
  path: string,
): Fields {
  const own = path === '' ? '' : `${path}.`;
  const given = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) return [[name, item]];
    return item === null ? [] : [[name, fit(schema, item, nulls, own + name)]];
  });
  const demanded = nulls
    .filter((one) => one.startsWith(own) && !/[.[]/.test(one.slice(own.length)))
    .map((one): [string, null] => [one.slice(own.length), null]);
  return { ...Object.fromEntries(demanded), ...Object.fromEntries(given) };
}

function fit(schema: AgentToolSchema, value: unknown, nulls: readonly string[], path: string): unknown {
  const { items } = schema;
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => fit(items, item, nulls, `${path}[]`));
  return typeof value === 'object' && value !== null
    ? fitObject(schema, value as Fields, nulls, path)
    : value;
}
