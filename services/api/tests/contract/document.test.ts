import { operations } from '@continuity/contract/operations';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { describeApi } from '../../src/openapi/index.ts';
import type { Content } from '../../src/openapi/schemas.ts';
import { readApiDocument } from '../../src/pages/assets.ts';
import { DocumentUnderTest } from './support/document.ts';

const described = new DocumentUnderTest(describeApi(operations));
const { document } = described;

test('is valid OpenAPI 3.1, and every reference leads somewhere', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...document });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect(() => validator.resolveRefs()).not.toThrow();
});

test('spec 10 scenario 4: has every operation of the service once, and no other', () => {
  const methods = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = methods.map(({ operationId }) => operationId);
  expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

test('asks for a token everywhere but at the two health paths', () => {
  expect(document.security).toEqual([{ bearer: [] }]);
  expect(Object.keys(document.components.securitySchemes ?? {})).toEqual(['bearer']);
  const open = operations.filter((operation) => described.operation(operation).security?.length === 0);
  expect(open.map(({ path }) => path)).toEqual(['/health/live', '/health/ready']);
});

test('says nothing of security where authentication is off', () => {
  const open = readApiDocument(false).toString();
  expect(open).not.toMatch(/"security(Schemes)?":/);
});

test('documents 431 for every operation', () => {
  for (const operation of operations) expect(described.response(operation, 431).content).toBeDefined();
});

describe.each(operations)('$id', (operation) => {
  const { parameters = [], requestBody, responses } = described.operation(operation);

  test('has examples that its own schemas accept', () => {
    const contents = [
      requestBody?.content,
      ...Object.keys(responses).map((status) => described.response(operation, Number(status)).content),
    ];
    expect(contents.flatMap((content) => problemsOfExamples(content))).toEqual([]);
    expect(Object.keys(successOf(operation.status)?.examples ?? {})).not.toEqual([]);
    for (const { schema, example } of parameters) {
      if (example !== undefined) expect(described.problems(schema, example)).toEqual([]);
    }
  });

  test('names every parameter of its path', () => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.every(({ required }) => required)).toBe(true);
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(inPath.map(({ name }) => name)).toEqual(names);
  });

  function successOf(status: number) {
    const { content = {} } = described.response(operation, status);
    return content['application/json'] ?? Object.values(content)[0];
  }
});

function problemsOfExamples(content: Content = {}): string[] {
  return Object.values(content).flatMap(({ schema, examples = {} }) =>
    Object.entries(examples).flatMap(([name, { value }]) =>
      described.problems(schema, value).map((problem) => `${name}: ${problem}`),
    ),
  );
}
