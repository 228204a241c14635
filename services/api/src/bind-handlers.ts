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
    (caller: Caller, input: never) => handler(depsFor(runtime.require().deps, caller, input), caller, input),
  ]);
  return Object.fromEntries(bound) as Bound<Table>;
}

/** Requests that write to one Scope wait for the same rows, so together they get at most half of the connections. */
function depsFor(deps: OperationDeps, { tenantId }: Caller, input: unknown): OperationDeps {
  const scopeId = writtenScope(input as ScopedInput);
  if (scopeId === undefined) return deps;
  return { ...deps, database: deps.database.limitedBy(`${tenantId} ${scopeId}`) };
}

/** The places of the Scope in the requests of operations that write to one. */
interface ScopedInput {
  params?: { scope_id?: string };
  body?: { scope_id?: string; target_scope_id?: string; binding?: { scope_id?: string } };
}

function writtenScope({ params, body }: ScopedInput): string | undefined {
  return params?.scope_id ?? body?.scope_id ?? body?.target_scope_id ?? body?.binding?.scope_id;
}
