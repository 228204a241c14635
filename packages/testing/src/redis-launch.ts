import { redisImage } from './docker.ts';
import { runServerProgram } from './server-program.ts';

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
