// A process that locks the row of a tenant in an open transaction, and commits it on SIGUSR2.
import { once } from 'node:events';
import { openDatabase, type Sql, statement } from '@continuity/shared/kernel';

const database = openDatabase({
  url: process.env['DATABASE_URL'] ?? '',
  size: 2,
  name: 'lock-holder',
  onIdleError: () => undefined,
});
const rename = statement('rename_tenant_and_hold', `UPDATE tenants SET name = 'frozen' WHERE tenant_id = $1`);

async function holdRow(sql: Sql): Promise<void> {
  await sql.rows(rename, [Number(process.env['TENANT_ID'])]);
  process.stdout.write('locked\n');
  await once(process, 'SIGUSR2');
}

const usesPrisma = process.env['TRANSACTION'] === 'prismaTransaction';
await (usesPrisma
  ? database.prismaTransaction(({ sql }) => holdRow(sql))
  : database.transaction(holdRow)
).then(
  () => process.stdout.write('committed\n'),
  () => process.stdout.write('failed\n'),
);
await database.close();
