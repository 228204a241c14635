import { operations } from '../generated/operations.ts';
import type { ClientOperation } from '../operation.ts';

type Fields = Record<string, unknown>;

const byId = new Map<string, ClientOperation>(Object.values(operations).map((one) => [one.id, one]));

/** Adds the chosen Scope to a request that names none, if its operation takes one. */
export function addScope(id: string, request: Fields, scope: string | undefined): Fields {
  const field = byId.get(id)?.scope;
  if (scope === undefined || field === undefined || field in request) return request;
  return { ...request, [field]: field === 'scope_id' ? scope : { mode: 'exact', scope_ids: [scope] } };
}
