declare const keyOf: unique symbol;

/** A number that the compiler accepts as one kind of key alone. At run time it is a plain number. */
type Key<Kind extends string> = number & { readonly [keyOf]: Kind };

/** `tenants.tenant_id`. Authentication finds it; every function below a route takes it as an argument. */
export type TenantId = Key<'tenant'>;

/** `scopes.scope_key`, which no caller sees: callers name a Scope by `scope_id`. */
export type ScopeKey = Key<'scope'>;

/** `artifacts.artifact_key`, which no caller sees: callers name an Artifact by Family and `artifact_id`. */
export type ArtifactKey = Key<'artifact'>;
