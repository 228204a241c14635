import type { OperationSpec } from '@continuity/contract';
import type { Command } from 'commander';
import { ServiceError } from '../../errors.ts';
import { operations } from '../../generated/operations.ts';
import type { CallOptions } from '../../types.ts';
import { addScope, type Context, withContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { readJsonInput } from '../input.ts';
import type { Output } from '../output.ts';

interface Options {
  file?: string;
  fields?: boolean;
  ifMatch?: string;
  idempotencyKey?: string;
}

/** Any operation of the API, so that scripts need no second client. */
export function addCallCommand(program: Command): void {
  withContext<Options>(
    program
      .command('call')
      .description('call any operation, and print its answer as JSON; without an operation, list them')
      .argument('[operation]', 'id, such as get_stats')
      .option('--file <path>', 'path parameters, query and body as one JSON object; `-` reads standard input')
      .option('--fields', 'show the fields of the operation and an example, and do not call it')
      .option('--if-match <etag>', 'with a replacement: the ETag that you have read')
      .option('--idempotency-key <key>', 'with a create: a repeat with the same key returns the same answer'),
    call,
  );
}

async function call(context: Context, [id]: string[], options: Options) {
  const { client, output, settings } = context;
  if (id === undefined) return await listOperations(output);
  const name = Object.entries(operations).find(([, operation]) => operation.id === id)?.[0];
  if (name === undefined) {
    throw new UsageError(`No operation is named ${JSON.stringify(id)}. List them: continuity call`);
  }
  if (options.fields === true) return await showFields(output, id);
  const { file, ifMatch, idempotencyKey } = options;
  const request = addScope(id, file === undefined ? {} : await readJsonInput(file), settings.scope);
  const method = (client as object as Record<string, Method>)[name];
  try {
    output.json(
      await method?.(request, {
        ...(ifMatch !== undefined && { ifMatch }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }),
    );
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.is('invalid_request');
    if (isRefused && !output.isJson) output.note(`The fields of ${id}: continuity call ${id} --fields`);
    throw error;
  }
}

type Method = (request: object, options: CallOptions) => Promise<unknown>;

// Only these two load the shapes of the contract.

async function listOperations(output: Output): Promise<void> {
  const { operationTable } = await import('@continuity/contract/operations');
  const table: Record<string, OperationSpec> = operationTable;
  const rows = Object.values(operations).map(({ id, method, path }) => ({
    operation: id,
    request: `${method} ${path}`,
    summary: table[id]?.summary ?? '',
  }));
  if (output.isJson) return output.json({ operations: rows });
  output.table(
    ['OPERATION', 'SUMMARY'],
    rows.map(({ operation, summary }) => [operation, summary]),
  );
}

async function showFields(output: Output, id: string): Promise<void> {
  const { describeFields } = await import('../operation-fields.ts');
  const found = describeFields(id);
  if (output.isJson) return output.json(found);
  const { request, summary, fields, example } = found;
  output.text(`${summary}: ${request}\n`);
  if (fields.length === 0) return output.text('No fields.');
  output.table(
    ['FIELD', 'REQUIRED', 'TYPE', 'ABOUT'],
    fields.map(({ name, is_required, type, description }) => [
      name,
      is_required ? 'yes' : 'no',
      type,
      description,
    ]),
  );
  if (example !== null) output.text(`\nExample for --file:\n${JSON.stringify(example, null, 2)}`);
}
