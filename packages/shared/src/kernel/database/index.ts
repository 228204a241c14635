export { bestEffortWrite } from './counters.ts';
export { type Database, openDatabase } from './database.ts';
export { type Listener, listen } from './listen.ts';
export { migrate, migrationNames } from './migrate.ts';
export { type Sql, type Statement, sqlOver, statement, type Transaction } from './sql.ts';
export type { PrismaTransaction, Queries } from './transaction.ts';
