import { tenantModels } from '../../generated/prisma-results.ts';
import { isObject } from '../is-object.ts';

/**
 * Throws for a Prisma query that no tenant bounds: it must have `tenantId` in its data, in its filter, or in the compound key
 * of its filter. `undefined` there is no filter to Prisma, and does not count.
 */
export function requireTenant(model: string | undefined, operation: string, args: unknown): void {
  if (model === undefined || !tenantModels.has(model)) return;
  if (!bindsTenant(args)) throw new Error(`The query ${model}.${operation} is not bound to a tenant.`);
}

function bindsTenant(args: unknown): boolean {
  if (!isObject(args)) return false;
  const { where, data, create } = args;
  if (where === undefined) return isOfTenant(data);
  return isFilterOfTenant(where) && (create === undefined || isOfTenant(create));
}

function isFilterOfTenant(where: unknown): boolean {
  if (!isObject(where)) return false;
  return (
    isOfTenant(where) ||
    Object.entries(where).some(([key, value]) => key.startsWith('tenantId_') && isOfTenant(value))
  );
}

function isOfTenant(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isOfTenant);
  return isObject(value) && typeof value['tenantId'] === 'number';
}
