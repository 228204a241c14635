export type { ArtifactKey, ScopeKey } from '../generated/keys.ts';
export { tables } from '../generated/tables.ts';
export type { TenantId } from './columns.ts';
export { column, pick, type RowOf } from './columns.ts';
export { bestEffortWrite, type Database, openDatabase, openProcessDatabase } from './database.ts';
export { Epoch, Epochs, PerEpoch } from './epochs.ts';
export { migrate, migrationLock } from './migrate.ts';
export { isReadOnlyServer } from './no-connection.ts';
export { type DatabaseAddress, databaseAddressOf } from './pool.ts';
export { previousReleaseCommit } from './release.ts';
export { checkSchema, requireDatabase, requireSchema } from './require-schema.ts';
export { claimServer, requireServer } from './server-identity.ts';
export { ServicePool } from './service-pool.ts';
export { configureRole, configureSession, openLongSession, plannerSql } from './session.ts';
export { chunksOf, type Sql, sqlOver, type Transaction } from './sql.ts';
export {
  declaredStatements,
  deploymentStatement,
  optimizationFence,
  type RowOfStatement,
  type Statement,
  statement,
} from './statement.ts';
export { isReadableHere, isWritableHere, moveLock, statesElsewhere } from './tenant-move.ts';
export type { PrismaTransaction, Queries } from './transaction.ts';
export { readOnlySql, ServiceClient } from './writer.ts';
