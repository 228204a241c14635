import { type ErrorCode, errorRecords, errorsOf, type OperationSpec } from '@continuity/contract';
import { operations, successesOf } from '@continuity/contract/operations';
import { type RawReply, readAnswer } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/openapi/index.ts';
import { DocumentUnderTest } from './support/document.ts';
import { excuses } from './support/excuses.ts';
import { Places } from './support/places.ts';
import { provocations, provokeSuccess, sendWithoutBody } from './support/provocations.ts';
import { exampleRequest, freshScope, sendRequest } from './support/requests.ts';

const places = new Places();
let served: DocumentUnderTest;

beforeAll(async () => {
  const { json } = await (await places.get('usual')).send('GET', '/openapi.json');
  served = new DocumentUnderTest(json as OpenApiDocument);
});

afterAll(() => places.stop());

/** Fails where the answer is not as the contract, or as the served document, says. */
function expectAsDeclared(operation: OperationSpec, reply: RawReply): void {
  readAnswer(operation, reply);
  expect(served.problemsOf(operation, reply)).toEqual([]);
}

function excuseOf(operation: OperationSpec, code: ErrorCode): string | undefined {
  return excuses.find((excuse) => excuse.code === code && excuse.operations.some((id) => id === operation.id))
    ?.reason;
}

describe.each(operations)('$id', (operation) => {
  const provoked = errorsOf(operation).filter((code) => excuseOf(operation, code) === undefined);

  test.each(successesOf(operation))('answers $status', async ({ status }) => {
    const reply = await provokeSuccess(await places.get('usual'), operation, status);
    expect(reply.status, reply.text).toBe(status);
    expectAsDeclared(operation, reply);
  });

  test.each(provoked)('answers %s', async (code) => {
    const provoke = provocations[code];
    if (provoke === undefined) throw new Error(`Nothing provokes ${code}: say how in provocations.ts.`);
    const reply = await provoke(places, operation);
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status: errorRecords[code].status,
      json: { error: { code } },
    });
    expectAsDeclared(operation, reply);
  });
});

test.each(operations.filter((operation) => operation.unavailableResponse))(
  '$id answers 503 with its own body',
  async (operation) => {
    const reply = await provokeSuccess(await places.get('starting'), operation, 503);
    expect(reply.status).toBe(503);
    expectAsDeclared(operation, reply);
  },
);

test.each(operations.filter((operation) => operation.body))(
  '$id refuses a request without a body',
  async (operation) => {
    const reply = await sendWithoutBody(await places.get('usual'), operation);
    expect(reply.json).toMatchObject({
      error: { code: 'invalid_request', details: { issues: [{ path: '' }] } },
    });
    expectAsDeclared(operation, reply);
  },
);

test.each(operations)(
  '$id answers its example, in a Scope that holds nothing, as declared',
  async (operation) => {
    const client = await places.get('usual');
    expectAsDeclared(
      operation,
      await sendRequest(client, operation, exampleRequest(operation, freshScope())),
    );
  },
);

test('every excuse is for an error that is declared', () => {
  const declared = (code: ErrorCode, id: string) =>
    operations.some((operation) => operation.id === id && errorsOf(operation).includes(code));
  const stale = excuses.filter(({ code, operations: ids }) => !ids.every((id) => declared(code, id)));
  expect(stale).toEqual([]);
});
