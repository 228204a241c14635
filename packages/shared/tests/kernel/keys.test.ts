import type { ArtifactKey, ScopeKey, TenantId } from '@continuity/shared/kernel';
import { column } from '@continuity/shared/kernel';
import { expectTypeOf, test } from 'vitest';
import { tables } from '../../src/generated/tables.ts';

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
  expectTypeOf(column.artifactKey.value).toEqualTypeOf<ArtifactKey>();
});
