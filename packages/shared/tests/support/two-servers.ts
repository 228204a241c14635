import { claimServer, type Database, openDatabase, type TenantId } from '@continuity/kernel/database';
import { createDatabase } from '@continuity/testing';
import { ensureTenant } from '../../src/tenants/ensure-tenant.ts';
import type { MoveAddress } from '../../src/tenants/move/run-servers.ts';

/** Two database servers of one deployment, the first with the directory. */
interface TwoServers {
  a: Database;
  b: Database;
  /** Both, for `runMove`. */
  servers: [MoveAddress, MoveAddress];
  /** Creates a tenant on the first server, and lists it. */
  createTenant(name: string): Promise<TenantId>;
  stop(): Promise<void>;
}

export async function startTwoServers(): Promise<TwoServers> {
  const [first, second] = [await createDatabase(), await createDatabase()];
  const open = (url: string) => openDatabase({ url, size: 2, name: 'test', onIdleError: () => undefined });
  const [a, b] = [open(first.url), open(second.url)];
  const cursorKey = await claimServer(first.url, { name: 'a', directory: 'a' });
  await claimServer(second.url, { name: 'b', directory: 'a' }, cursorKey);
  return {
    a,
    b,
    servers: [
      { name: 'a', directUrl: first.url, capacityBytes: undefined },
      { name: 'b', directUrl: second.url, capacityBytes: undefined },
    ],
    async createTenant(name) {
      const tenantId = await ensureTenant(a, name);
      const insert = "INSERT INTO tenant_servers (tenant_id, name, server) VALUES ($1, $2, 'a')";
      await a.pool.query(insert, [tenantId, name]);
      return tenantId;
    },
    async stop() {
      await Promise.all([a.close(), b.close()]);
      await Promise.all([first.drop(), second.drop()]);
    },
  };
}
