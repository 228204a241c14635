import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDockerAvailable, redisImage } from './docker.ts';
import { freePort } from './free-port.ts';
import { runServerProgram } from './server-program.ts';
import { temporaryDirectory } from './temporary.ts';
import { findRedisServer } from './tools.ts';

const containerPort = 6379;

export type RunningRedis = {
  stop(): Promise<void>;
  kill(): Promise<void>;
  freeze(): Promise<void>;
  wake(): Promise<void>;
};

/** Runs an installed Redis program; resolves when it accepts connections. */
export function runRedisProgram(
  program: string,
  port: number,
  directory: string,
  settings: string[],
): Promise<RunningRedis> {
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--loglevel', 'notice'];
  return runServerProgram(program, [...place, ...settings], 'Ready to accept connections');
}

/** Runs Redis in a container with its data in `directory`; resolves when it accepts connections. */
export async function runRedisContainer(
  port: number,
  directory: string,
  settings: string[],
): Promise<RunningRedis> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  const account = process.getuid && process.getgid ? `${process.getuid()}:${process.getgid()}` : 'redis';
  const container = await new GenericContainer(redisImage)
    .withExposedPorts({ container: containerPort, host: port })
    .withBindMounts([{ source: directory, target: '/data' }])
    .withUser(account)
    .withCommand(['redis-server', ...settings])
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .start();
  const handle = (await getContainerRuntimeClient()).container.getById(container.getId());
  return {
    async stop() {
      await container.stop({ timeout: 10_000 });
    },
    async kill() {
      await handle.kill();
      await container.stop();
    },
    freeze: async () => void (await handle.pause()),
    wake: async () => void (await handle.unpause()),
  };
}

/** A Redis server of one test. After `stop` or `kill`, `start` starts it again with its data, on the same port. */
export type RedisServer = {
  readonly url: string;
  readonly port: number;
  /** Path of the program, or name of the container image. */
  readonly runner: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server like a crash. */
  kill(): Promise<void>;
  /** Stops the server like SIGSTOP, until `wake`: its connections stay open. */
  freeze(): Promise<void>;
  wake(): Promise<void>;
  /** Removes the data of a server that does not run. */
  eraseData(): Promise<void>;
};

/**
 * Starts Redis on 127.0.0.1: the installed `redis-server` or `valkey-server`, else a container. With
 * `persistent: false`, a restart loses the data.
 */
export async function startRedis(options: { persistent?: boolean } = {}): Promise<RedisServer> {
  const directory = await temporaryDirectory('redis');
  const port = await freePort();
  const program = await findRedisServer();
  if (!program && !(await isDockerAvailable())) {
    throw new Error('Redis is needed: install redis-server, start Docker, or set REDIS_URL.');
  }
  const settings = ['--appendonly', options.persistent === false ? 'no' : 'yes', '--save', ''];
  const launch = () =>
    program
      ? runRedisProgram(program, port, directory, settings)
      : runRedisContainer(port, directory, settings);

  let running: RunningRedis | undefined = await launch();
  const end = async (how: 'stop' | 'kill') => {
    await running?.[how]();
    running = undefined;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    runner: program ?? redisImage,
    async start() {
      running ??= await launch();
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
    freeze: async () => running?.freeze(),
    wake: async () => running?.wake(),
    async eraseData() {
      for (const name of await readdir(directory)) {
        await rm(join(directory, name), { recursive: true, force: true });
      }
    },
  };
}
