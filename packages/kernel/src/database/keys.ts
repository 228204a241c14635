declare const keyOf: unique symbol;

/**
 * A number that the compiler accepts as one kind of key alone. At run time it is a plain number. `scripts/generate.mjs` writes the
 * keys of the areas, from the names of their columns, to `generated/keys.ts`.
 */
export type Key<Kind extends string> = number & { readonly [keyOf]: Kind };

/**
 * `tenants.tenant_id`. Authentication finds it; every function below a route takes it as an argument. The kernel knows this key alone,
 * because connections, threads and turns are shared fairly between tenants.
 */
export type TenantId = Key<'tenant'>;
