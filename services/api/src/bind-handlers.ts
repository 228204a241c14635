import type { ErrorCode, OperationSpec } from '@continuity/contract';
import type { operationTable } from '@continuity/contract/operations';
import { ServiceError, serviceError } from '@continuity/kernel/errors';
import { runAsTenant } from '@continuity/kernel/fairness';
import type { Answer, BodyPreparations, Caller, Handlers } from '@continuity/shared/handlers';
import type { OperationDeps } from './assemble-runtime.ts';
import type { bodyPreparations } from './bodies/parse-body.ts';
import type { Servers } from './servers.ts';

type UnboundHandler = (deps: OperationDeps, caller: Caller, input: never) => Promise<Answer>;

type BoundHandler<Unbound> = Unbound extends (deps: never, caller: Caller, input: infer Input) => infer Result
  ? (caller: Caller, input: Input) => Result
  : never;

/** Handlers bound to their dependencies. */
type BoundHandlers<Unbound> = { [Name in keyof Unbound]: BoundHandler<Unbound[Name]> };

/** Handlers bound to their dependencies, one per operation of a table. */
export type BoundTable<
  Table extends Record<string, OperationSpec>,
  Bodies extends BodyPreparations = Record<never, never>,
> = BoundHandlers<Handlers<Table, OperationDeps, Bodies>>;

/** A handler for every operation of the service. A missing handler does not compile. */
export type BoundOperations = BoundTable<typeof operationTable, typeof bodyPreparations>;

/** Binds the handlers of an area to the dependencies of the runtime on the server of the caller. They answer 503 until it is assembled. */
export function bindHandlers<Unbound extends Record<keyof Unbound, UnboundHandler>>(
  servers: Servers,
  handlers: Unbound,
): BoundHandlers<Unbound> {
  const bound = Object.entries<UnboundHandler>(handlers).map(([name, handler]) => [
    name,
    (caller: Caller, input: never) => {
      const deps = limitDeps(servers.require(caller.epoch).deps, caller, name, input);
      return runAsTenant(caller.tenantId, () => handler(deps, caller, input), caller.epoch);
    },
  ]);
  return Object.fromEntries(bound) as BoundHandlers<Unbound>;
}

/**
 * Binds a handler whose request names no tenant, but a code that one tenant has: asks the servers. On those that do not know the code, the
 * handler throws `unknownCode`.
 */
export function bindByCode<Unbound extends UnboundHandler>(
  servers: Servers,
  handler: Unbound,
  operation: string,
  unknownCode: ErrorCode,
): BoundHandler<Unbound> {
  const bound = async (caller: Caller, input: never) => {
    const answer = await servers.find(async ({ deps, epoch }) => {
      const limited = limitDeps(deps, caller, operation, input);
      try {
        return await runAsTenant(caller.tenantId, () => handler(limited, caller, input), epoch);
      } catch (error) {
        if (error instanceof ServiceError && error.code === unknownCode) return undefined;
        throw error;
      }
    }, null);
    if (answer === undefined) throw serviceError(unknownCode);
    return answer;
  };
  return bound as BoundHandler<Unbound>;
}

/**
 * Limits the requests that write to one Scope to half of the connections, because they wait for the same rows. Limits the requests of
 * an operation that names no Scope in the same way.
 */
function limitDeps(
  deps: OperationDeps,
  { tenantId, target }: Caller,
  operation: string,
  input: unknown,
): OperationDeps {
  const place = target?.scopeId ?? writtenScope(input as ScopedInput) ?? operation;
  return { ...deps, database: deps.database.limitedBy(`${tenantId} ${place}`) };
}

/** The fields of a request that can name the Scope to write to. */
interface ScopedInput {
  params?: { scope_id?: string };
  body?: { scope_id?: string; target_scope_id?: string; binding?: { scope_id?: string } };
}

function writtenScope({ params, body }: ScopedInput): string | undefined {
  return params?.scope_id ?? body?.scope_id ?? body?.target_scope_id ?? body?.binding?.scope_id;
}
