import { toPascalCase } from '../../../packages/contract/src/index.ts';
import type { Schema } from '../../../services/api/src/openapi/schemas.ts';

/** Python types of JSON Schemas. An object with fields becomes a `TypedDict` with a name of its own. */
export class PythonTypes {
  readonly #declarations = new Map<string, string>();

  /** Declares the components, so that references find them. */
  constructor(components: Record<string, Schema>) {
    for (const [name, schema] of Object.entries(components)) this.declare(name, schema);
  }

  /** Declares a type under the name. */
  declare(name: string, schema: Schema): void {
    if (this.#declarations.has(name)) throw new Error(`Two Python types would have the name ${name}.`);
    this.#declarations.set(name, '');
    const fields = isRecord(schema) ? this.#fieldsOf(name, schema) : undefined;
    const declaration =
      fields === undefined
        ? `${name}: TypeAlias = ${withoutQuotes(this.typeOf(schema, name))}`
        : `${name} = TypedDict(\n    "${name}",\n    {\n${fields}    },\n)`;
    this.#declarations.set(name, declaration);
  }

  /** The annotation of a schema. Declares the objects in it as types whose names begin with `name`. References are strings. */
  typeOf(schema: Schema, name: string): string {
    const { $ref, const: constant, enum: values, anyOf, oneOf, type } = schema;
    if (typeof $ref === 'string') return `"${$ref.slice($ref.lastIndexOf('/') + 1)}"`;
    if (constant !== undefined) return `Literal[${toPython(constant)}]`;
    if (Array.isArray(values)) return `Literal[${values.map(toPython).join(', ')}]`;
    const options = (anyOf ?? oneOf) as Schema[] | undefined;
    if (options !== undefined) return this.#unionOf(options, name);
    if (type === 'array') return `List[${this.typeOf((schema['items'] ?? {}) as Schema, `${name}Item`)}]`;
    if (type === 'object') return this.#objectOf(schema, name);
    return primitives[String(type)] ?? 'Any';
  }

  /** All declarations. A type follows those that its text needs to exist already. */
  text(): string {
    const isAlias = ([name, text]: [string, string]) => text.startsWith(`${name}: TypeAlias`);
    const all = [...this.#declarations];
    return [...all.filter((one) => !isAlias(one)), ...all.filter(isAlias)]
      .map(([, text]) => text)
      .join('\n\n');
  }

  #unionOf(options: Schema[], name: string): string {
    const types = options.map((option, place) =>
      this.typeOf(option, options.length === 1 ? name : `${name}Option${place + 1}`),
    );
    return types.length === 1 ? (types[0] ?? 'Any') : `Union[${types.join(', ')}]`;
  }

  #objectOf(schema: Schema, name: string): string {
    const { additionalProperties } = schema;
    if (isRecord(schema)) {
      this.declare(name, schema);
      return `"${name}"`;
    }
    const values = typeof additionalProperties === 'object' ? (additionalProperties as Schema) : {};
    return `Dict[str, ${this.typeOf(values, `${name}Value`)}]`;
  }

  #fieldsOf(name: string, { properties = {}, required = [] }: Schema): string {
    const needed = new Set(required as string[]);
    return Object.entries(properties as Record<string, Schema>)
      .map(([field, schema]) => {
        const type = this.typeOf(schema, name + toPascalCase(field));
        return `        "${field}": ${needed.has(field) ? type : `NotRequired[${type}]`},\n`;
      })
      .join('');
  }
}

const primitives: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** An alias of one type must be that type, not its name. It stands after all types with fields. */
function withoutQuotes(type: string): string {
  return type.replace(/^"(\w+)"$/, '$1');
}

function isRecord({ type, properties }: Schema): boolean {
  return type === 'object' && properties !== undefined;
}

function toPython(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}
