import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const postgresImage = 'pgvector/pgvector:pg18';
export const redisImage = 'redis:8';

/** Whether a container engine answers. Without a socket or DOCKER_HOST, returns false at once. */
export async function isDockerAvailable(): Promise<boolean> {
  if (!process.env['DOCKER_HOST'] && !sockets().some((socket) => existsSync(socket))) return false;
  const { getContainerRuntimeClient } = await import('testcontainers');
  return await getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

function sockets(): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return [
    '/var/run/docker.sock',
    join(homedir(), '.docker/run/docker.sock'),
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
  ];
}
