import type { OperationInput, OperationResponse, OperationSpec } from '@continuity/contract';
import type { Actor } from '@continuity/contract/review';
import type { TenantId } from './keys.ts';

/** The caller of an operation. */
export interface Caller {
  /** The tenant of the token. */
  tenantId: TenantId;
  /** The label of the token; null without one. It is shown to reviewers and grants nothing. */
  actor: Actor | null;
  /** Aborts when the caller hangs up. */
  signal: AbortSignal;
  /** True with `Prefer: respond-async` (spec 00 §7). */
  respondAsync: boolean;
}

/** The answer of a handler. `status` defaults to the operation's main one. */
export interface Answer<S extends OperationSpec = OperationSpec> {
  body: OperationResponse<S> | object | null;
  status?: number;
  headers?: Record<string, string>;
}

/** Runs one operation on validated input. It is independent of the HTTP server. */
export type Handler<S extends OperationSpec, Deps> = (
  deps: Deps,
  caller: Caller,
  input: OperationInput<S>,
) => Promise<Answer<S>>;

/** A handler for each operation of a table; a missing one does not compile. */
export type Handlers<Table extends Record<string, OperationSpec>, Deps> = {
  [Name in keyof Table]: Handler<Table[Name], Deps>;
};
