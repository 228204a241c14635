/** What the value of a keyword has to look like. */
export type KeywordShape =
  | 'any'
  | 'anchor'
  | 'array'
  | 'boolean'
  | 'count'
  | 'dialect'
  | 'id'
  | 'names'
  | 'names by name'
  | 'number'
  | 'pattern'
  | 'positive'
  | 'reference'
  | 'schema'
  | 'schemas'
  | 'schemas by name'
  | 'schemas by pattern'
  | 'schemas or names by name'
  | 'string'
  | 'types'
  | 'vocabulary';

/**
 * Every keyword of JSON Schema 2020-12, those that its meta-schema keeps for older drafts included; others are annotations.
 */
export const keywordShapes: ReadonlyMap<string, KeywordShape> = new Map(
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
  } satisfies Record<string, KeywordShape>),
);

export const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;

export type TypeName = (typeof typeNames)[number];

/** The one dialect that is understood. */
export const dialect = 'https://json-schema.org/draft/2020-12/schema';
