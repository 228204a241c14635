import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** A PostgreSQL of one's own that has pgvector. */
export interface PgvectorServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts PostgreSQL in this process, in memory, with pgvector ready to be made: the embedded one of other tests has none. All
 * its connections share one session, so that prepared statements and settings of one are those of the others: a pool of one.
 */
export async function startPgvector(): Promise<PgvectorServer> {
  const db = await PGlite.create({ extensions: { vector } });
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 10 });
  await server.start();
  return {
    url: `postgresql://postgres:postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    close: async () => {
      await server.stop();
      await db.close();
    },
  };
}
