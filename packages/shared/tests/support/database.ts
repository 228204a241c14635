import { type Database, openDatabase, type TenantId } from '@continuity/kernel/database';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase } from '@continuity/testing';
import { afterAll } from 'vitest';

/** A database of this file's own with one tenant, until all its tests have run. */
export async function openOwnDatabase(
  name: string,
  connections = 1,
): Promise<{ database: Database; tenantId: TenantId; url: string }> {
  const source = await createDatabase();
  const database = openDatabase({
    url: source.url,
    size: connections,
    name,
    onIdleError: () => undefined,
  });
  afterAll(async () => {
    await database.close();
    await source.drop();
  });
  return { database, tenantId: await ensureTenant(database, 'default'), url: source.url };
}
