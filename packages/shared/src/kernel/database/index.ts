export { tables } from '../../generated/tables.ts';
export { databaseAddressOf } from './address.ts';
export { bestEffortWrite } from './best-effort-write.ts';
export { column, pick, type RowOf } from './columns.ts';
export { type Database, openDatabase } from './database.ts';
export { type Listener, listen } from './listen.ts';
export { migrate } from './migrate.ts';
export { checkSchema, requireSchema } from './require-schema.ts';
export { configureRole } from './role-defaults.ts';
export { openLongSession } from './session.ts';
export { type Sql, sqlOver, type Transaction } from './sql.ts';
export {
  declaredStatements,
  deploymentStatement,
  type RowOfStatement,
  type Statement,
  statement,
} from './statement.ts';
export type { PrismaTransaction, Queries } from './transaction.ts';
