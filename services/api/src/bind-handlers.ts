import type { OperationInput, OperationSpec } from '@continuity/contract';
import type { operationTable } from '@continuity/contract/operations';
import type { Answer, Caller, Handlers } from '@continuity/shared/kernel';
import type { OperationDeps } from './operation-deps.ts';
import type { Runtime } from './runtime.ts';

type BoundHandler<S extends OperationSpec> = (caller: Caller, input: OperationInput<S>) => Promise<Answer<S>>;

/** Handlers bound to their dependencies, one per operation of a table. */
export type Bound<Table extends Record<string, OperationSpec>> = {
  [Name in keyof Table]: BoundHandler<Table[Name]>;
};

/** A handler for every operation of the service. A missing handler does not compile. */
export type BoundOperations = Bound<typeof operationTable>;

/** Binds the handlers of an area to the dependencies of the runtime. They answer 503 until it is assembled. */
export function bindHandlers<Table extends Record<string, OperationSpec>>(
  runtime: Runtime,
  handlers: Handlers<Table, OperationDeps>,
): Bound<Table> {
  const bound = Object.entries(handlers).map(([name, handler]) => [
    name,
    (caller: Caller, input: never) => handler(runtime.require().deps, caller, input),
  ]);
  return Object.fromEntries(bound) as Bound<Table>;
}
