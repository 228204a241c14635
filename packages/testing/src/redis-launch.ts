import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { redisImage } from './docker.ts';
import { cancelCleanUp, cleanUpOnExit } from './exit-cleanup.ts';

const containerPort = 6379;

export type RunningRedis = { stop(): Promise<void>; kill(): Promise<void> };

/** Runs an installed Redis program; resolves when it accepts connections. */
export async function runRedisProgram(
  program: string,
  port: number,
  directory: string,
  settings: string[],
): Promise<RunningRedis> {
  const child = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--loglevel', 'notice', ...settings],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const { pid } = child;
  if (pid !== undefined) cleanUpOnExit({ pid });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-4_000);
      if (output.includes('Ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`Redis did not start:\n${output}`)));
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    if (pid !== undefined) cancelCleanUp(pid);
  };
  return { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
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
  return {
    async stop() {
      await container.stop({ timeout: 10_000 });
    },
    async kill() {
      const client = await getContainerRuntimeClient();
      await client.container.getById(container.getId()).kill();
      await container.stop();
    },
  };
}
