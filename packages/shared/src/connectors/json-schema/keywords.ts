import { isJsonObject, type JsonValue } from '@continuity/kernel/json';

/** The only supported dialect. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

interface Form {
  accepts(value: JsonValue): boolean;
  /** Requirement on the value, for a message. */
  message: string;
}

const forms = {
  any: { accepts: () => true, message: '' },
  anchor: {
    accepts: (value) => typeof value === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
    message: 'must be a plain name: letters, digits, "-", "." and "_"',
  },
  array: { accepts: Array.isArray, message: 'must be an array' },
  boolean: { accepts: isBoolean, message: 'must be true or false' },
  count: {
    accepts: (value) => Number.isInteger(value) && Number(value) >= 0,
    message: 'must be an integer of at least 0',
  },
  dialect: {
    accepts: (value) => typeof value === 'string' && value.replace(/#$/, '') === dialect,
    message: `must be ${dialect}, the only supported dialect`,
  },
  id: {
    accepts: (value) => typeof value === 'string' && /^[^#]*#?$/.test(value),
    message: 'must be a URI reference without a fragment',
  },
  names: { accepts: areNames, message: 'must be an array of unique strings' },
  'names by name': {
    accepts: (value) => isJsonObject(value) && Object.values(value).every(areNames),
    message: 'must be an object of arrays of unique strings',
  },
  number: { accepts: isNumber, message: 'must be a number' },
  pattern: { accepts: isString, message: 'must be a string' },
  positive: {
    accepts: (value) => isNumber(value) && Number(value) > 0,
    message: 'must be a number greater than 0',
  },
  reference: {
    accepts: (value) => typeof value === 'string' && value.startsWith('#'),
    message: 'must begin with "#": only references within this schema are supported',
  },
  schema: { accepts: () => true, message: '' },
  schemas: {
    accepts: (value) => Array.isArray(value) && value.length > 0,
    message: 'must be a non-empty array of schemas',
  },
  'schemas by name': { accepts: isJsonObject, message: 'must be an object of schemas' },
  'schemas by pattern': { accepts: isJsonObject, message: 'must be an object of schemas' },
  'schemas or names by name': { accepts: isJsonObject, message: 'must be an object' },
  string: { accepts: isString, message: 'must be a string' },
  types: { accepts: areTypes, message: `must be one or several of ${typeNames.join(', ')}` },
  vocabulary: {
    accepts: (value) => isJsonObject(value) && Object.values(value).every(isBoolean),
    message: 'must be an object of booleans',
  },
} satisfies Record<string, Form>;

/** The form that the value of a keyword must have. */
export type KeywordForm = keyof typeof forms;

/** Says why a value does not have the form of its keyword, or undefined. It does not look into subschemas and patterns. */
export function findFormProblem(form: KeywordForm, value: JsonValue): string | undefined {
  const { accepts, message }: Form = forms[form];
  return accepts(value) ? undefined : message;
}

function isBoolean(value: JsonValue): boolean {
  return typeof value === 'boolean';
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number';
}

function isString(value: JsonValue): boolean {
  return typeof value === 'string';
}

function areNames(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(isString) && areUnique(value);
}

function areTypes(value: JsonValue): boolean {
  const names = Array.isArray(value) ? value : [value];
  const areKnown = names.every((name) => typeof name === 'string' && typeNames.includes(name));
  return areKnown && areUnique(names) && names.length > 0;
}

function areUnique(values: JsonValue[]): boolean {
  return new Set(values).size === values.length;
}

/**
 * Every keyword of JSON Schema 2020-12, including those that its meta-schema keeps for older drafts. Any other keyword is an
 * annotation.
 */
export const keywordForms: ReadonlyMap<string, KeywordForm> = new Map(
  Object.entries({
    $schema: 'dialect',
    $id: 'id',
    $anchor: 'anchor',
    $dynamicAnchor: 'anchor',
    $ref: 'reference',
    $dynamicRef: 'reference',
    $vocabulary: 'vocabulary',
    $comment: 'string',
    $defs: 'schemas by name',
    definitions: 'schemas by name',
    dependencies: 'schemas or names by name',

    allOf: 'schemas',
    anyOf: 'schemas',
    oneOf: 'schemas',
    not: 'schema',
    if: 'schema',
    // biome-ignore lint/suspicious/noThenProperty: the name of a keyword, read as an entry and never as an object.
    then: 'schema',
    else: 'schema',
    dependentSchemas: 'schemas by name',
    properties: 'schemas by name',
    patternProperties: 'schemas by pattern',
    additionalProperties: 'schema',
    propertyNames: 'schema',
    unevaluatedProperties: 'schema',
    prefixItems: 'schemas',
    items: 'schema',
    contains: 'schema',
    unevaluatedItems: 'schema',

    type: 'types',
    const: 'any',
    enum: 'array',
    multipleOf: 'positive',
    maximum: 'number',
    exclusiveMaximum: 'number',
    minimum: 'number',
    exclusiveMinimum: 'number',
    maxLength: 'count',
    minLength: 'count',
    pattern: 'pattern',
    maxItems: 'count',
    minItems: 'count',
    uniqueItems: 'boolean',
    maxContains: 'count',
    minContains: 'count',
    maxProperties: 'count',
    minProperties: 'count',
    required: 'names',
    dependentRequired: 'names by name',

    title: 'string',
    description: 'string',
    default: 'any',
    deprecated: 'boolean',
    readOnly: 'boolean',
    writeOnly: 'boolean',
    examples: 'array',
    format: 'string',
    contentEncoding: 'string',
    contentMediaType: 'string',
    contentSchema: 'schema',
  } satisfies Record<string, KeywordForm>),
);
