import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** A PostgreSQL server with pgvector. */
export interface PgvectorServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts PostgreSQL in this process and in memory, with the extension pgvector available; the embedded PostgreSQL of the
 * other tests does not have it. All connections share one session with its prepared statements and settings, so use a
 * pool of one connection.
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
