import { errorBodyShape, errorCodes, errorsOf, exampleError } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { describeApi } from '../../src/openapi/index.ts';
import type { Schema } from '../../src/openapi/schemas.ts';
import { DocumentUnderTest } from './support/document.ts';
import { mutations } from './support/mutations.ts';
import { exampleRequest, freshScope } from './support/requests.ts';

const described = new DocumentUnderTest(describeApi(operations));

/** The document and the gateway must reject the same values. */
function expectAgreement(shape: z.ZodType, schema: Schema, example: unknown): void {
  const accepts = described.checkOf(schema);
  expect(accepts(example)).toBe(true);
  fc.assert(
    fc.property(mutations(example), (value) => {
      expect(accepts(value)).toBe(shape.safeParse(value).success);
    }),
    { numRuns: 1_000 },
  );
}

/** As `expectAgreement`, of a number that is sent as its digits. */
function expectNumberAgreement(shape: z.ZodType, schema: Schema, example: number): void {
  const accepts = described.checkOf(schema);
  expect(accepts(example)).toBe(true);
  const bounds = fc.constantFrom(-1, -0, 0, 1, 50, 51, 1000, 1001, 2 ** 53 - 1, 2 ** 53, 0.5, 1e300);
  fc.assert(
    fc.property(fc.oneof(bounds, fc.integer(), fc.double({ noNaN: true })), (value) => {
      expect(accepts(value)).toBe(shape.safeParse(String(value)).success);
    }),
    { numRuns: 1_000 },
  );
}

const withBody = operations.filter(({ body }) => body !== undefined);
const answeredErrors = errorCodes.filter((code) =>
  operations.some((operation) => errorsOf(operation).includes(code)),
);
const withParams = operations.filter(({ params }) => params !== undefined);

describe('the document and the validation agree', () => {
  test.each(withBody)('on the body of $id', (operation) => {
    const schema = described.operation(operation).requestBody?.content['application/json']?.schema;
    if (operation.body === undefined || schema === undefined) throw new Error('The document has no body.');
    for (const index of operation.examples.keys()) {
      expectAgreement(operation.body, schema, exampleRequest(operation, freshScope(), index).body);
    }
  });

  test.each(answeredErrors)('on the details of %s', (code) => {
    const shape = errorBodyShape(code);
    const schema = described.document.components.schemas[String(shape.meta()?.id)];
    if (schema === undefined) throw new Error('The document has no such error.');
    expectAgreement(shape, schema, exampleError(code));
  });

  test.each(withParams)('on the path of $id', (operation) => {
    const { params } = exampleRequest(operation, freshScope());
    for (const { name, schema } of described.operation(operation).parameters ?? []) {
      const shape = operation.params?.shape[name] as z.ZodType | undefined;
      if (shape === undefined) continue;
      if (schema['type'] === 'integer') expectNumberAgreement(shape, schema, Number(params[name]));
      else expectAgreement(shape, schema, params[name]);
    }
  });
});
