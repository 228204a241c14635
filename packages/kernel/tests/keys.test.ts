import { expectTypeOf, test } from 'vitest';
import { column, type TenantId } from '../src/database/columns.ts';
import type { ArtifactKey, ScopeKey } from '../src/generated/keys.ts';
import { tables } from '../src/generated/tables.ts';

test('a key of one kind, or a plain number, is not accepted as a key of another kind', () => {
  expectTypeOf<ScopeKey>().not.toExtend<TenantId>();
  expectTypeOf<ScopeKey>().not.toExtend<ArtifactKey>();
  expectTypeOf<number>().not.toExtend<TenantId>();
  expectTypeOf<TenantId>().toExtend<number>();
});

test('the key columns of tables and statements have key types', () => {
  expectTypeOf(tables.artifacts.tenant_id.value).toEqualTypeOf<TenantId>();
  expectTypeOf(tables.artifacts.scope_key.value).toEqualTypeOf<ScopeKey>();
  expectTypeOf(tables.tenants.default_scope_key.value).toEqualTypeOf<ScopeKey | null>();
  expectTypeOf(column.bigint.as<ArtifactKey>().value).toEqualTypeOf<ArtifactKey>();
});
