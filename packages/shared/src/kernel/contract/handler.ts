import type { OperationInput, OperationResponse, OperationSpec } from '@continuity/contract';

/** Who asks: the tenant that the token belongs to. */
export interface Caller {
  tenantId: number;
  /** Ends when the caller hangs up. */
  signal: AbortSignal;
  /** True with `Prefer: respond-async` (spec 00 §7). */
  respondAsync: boolean;
}

/** What a handler answers; `status` only where it is not the operation's main one. */
export interface Answer<S extends OperationSpec = OperationSpec> {
  body: OperationResponse<S> | object | null;
  status?: number;
  headers?: Record<string, string>;
}

/** Joins validated input, area and answer. It knows nothing of HTTP servers. */
export type Handler<S extends OperationSpec, Services> = (
  services: Services,
  caller: Caller,
  input: OperationInput<S>,
) => Promise<Answer<S>>;

/** A handler for each operation of a table; a missing one does not compile. */
export type Handlers<Table extends Record<string, OperationSpec>, Services> = {
  [Name in keyof Table]: Handler<Table[Name], Services>;
};
