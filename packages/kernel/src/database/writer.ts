import { Socket } from 'node:net';
import pg from 'pg';
import { type DatabaseServers, databaseServers, type ServerName } from '../config/address.ts';
import { withTimeLimit } from '../process/time.ts';
import { isReadOnlyServer, noConnection, readOnlyServer } from './no-connection.ts';

/** Limit of the question to one server, in milliseconds. */
const askMs = 1_500;

/** Time for which a search that found no writer is not repeated, in milliseconds. */
const failedForMs = 200;

/** Columns that say whether a server refuses writes: it is a standby, or transactions are read-only by default. */
export const readOnlySql = `pg_is_in_recovery() OR current_setting('transaction_read_only')::bool`;

/** Finds the server that accepts writes among the hosts of one URL, for all connections of this process. */
class Writer {
  /** URL with the first host alone, for what a connection needs besides its server. */
  readonly url: string;
  readonly #servers: ServerName[];
  #known: ServerName | undefined;
  #search: Promise<ServerName> | undefined;

  constructor({ url, servers }: DatabaseServers) {
    this.url = url;
    this.#servers = servers;
  }

  /** The server that accepted writes when it was last asked. Rejects if none does. Concurrent calls share one search. */
  async find(): Promise<ServerName> {
    if (this.#known !== undefined) return this.#known;
    this.#search ??= this.#askAll();
    const search = this.#search;
    const end = () => {
      if (this.#search === search) this.#search = undefined;
    };
    search.then(end, () => setTimeout(end, failedForMs).unref());
    return await search;
  }

  /** Says that a server does not answer, or refuses writes. */
  forget(server: ServerName): void {
    if (this.#known === server) this.#known = undefined;
  }

  async #askAll(): Promise<ServerName> {
    try {
      this.#known = await Promise.any(this.#servers.map((server) => this.#ask(server)));
      return this.#known;
    } catch (error) {
      const { errors } = error as AggregateError;
      throw errors.find(isReadOnlyServer) ?? noConnection('No server of DATABASE_URL answers.');
    }
  }

  /** Rejects if the server does not accept writes. */
  async #ask(server: ServerName): Promise<ServerName> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'continuity-writer',
      connectionTimeoutMillis: askMs,
      query_timeout: askMs,
    });
    // A broken connection fails the question. Without a listener, the event would end the process.
    client.on('error', () => undefined);
    Object.assign(client, server);
    try {
      await client.connect();
      const { rows } = await client.query<{ is_read_only: boolean }>(`SELECT ${readOnlySql} AS is_read_only`);
      if (rows[0]?.is_read_only !== false) throw readOnlyServer();
      return server;
    } finally {
      void withTimeLimit(client.end(), askMs).catch(() => undefined);
    }
  }
}

/** By URL, of those with several hosts. Settings have at most two. */
const writers = new Map<string, Writer>();

function writerOf(url: string | undefined): Writer | undefined {
  if (url === undefined) return undefined;
  const known = writers.get(url);
  if (known !== undefined) return known;
  const found = databaseServers(url);
  if (found.servers.length === 1) return undefined;
  const writer = new Writer(found);
  writers.set(url, writer);
  return writer;
}

type Connected = (error: Error | null, client?: pg.Client) => void;

/**
 * A connection to PostgreSQL. With several hosts in its URL, it connects to the one that accepts writes. Every connection of the service is
 * one of these.
 */
export class ServiceClient extends pg.Client {
  readonly #writer: Writer | undefined;
  #server: ServerName | undefined;

  constructor(config: pg.ClientConfig = {}) {
    const writer = writerOf(config.connectionString);
    super(writer === undefined ? config : { ...config, connectionString: writer.url });
    this.#writer = writer;
    if (writer !== undefined) this.on('error', () => this.leaveServer());
  }

  /** Says that the server does not answer, or refuses writes, so that the next connection looks for another one. */
  leaveServer(): void {
    if (this.#server !== undefined) this.#writer?.forget(this.#server);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (this.#writer === undefined) return callback === undefined ? super.connect() : this.#pass(callback);
    const connected = this.#connect(this.#writer);
    if (callback === undefined) return connected;
    connected.then((client) => callback(null, client), callback as (error: Error) => void);
    return undefined;
  }

  #pass(callback: Connected): undefined {
    super.connect(callback);
  }

  async #connect(writer: Writer): Promise<pg.Client> {
    this.#server = await writer.find();
    Object.assign(this, this.#server);
    try {
      return await super.connect();
    } catch (error) {
      this.leaveServer();
      throw error;
    }
  }
}

/**
 * What a library needs that opens connections of its own: the URL, or with several hosts the URL of the first one and a socket that connects
 * to the server that accepts writes.
 */
export function connectionTo(url: string): { connectionString: string; stream?: () => Socket } {
  const writer = writerOf(url);
  if (writer === undefined) return { connectionString: url };
  return { connectionString: writer.url, stream: () => new WriterSocket(writer) };
}

/** A socket that connects to the server that accepts writes, whatever the address that it is given. */
class WriterSocket extends Socket {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    super();
    this.#writer = writer;
  }

  override connect(..._address: unknown[]): this {
    const connect = async () => {
      const server = await this.#writer.find();
      this.once('error', () => this.#writer.forget(server));
      super.connect(server.port, server.host);
    };
    connect().catch((error) => this.destroy(error as Error));
    return this;
  }
}
