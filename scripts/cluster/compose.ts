import { fileURLToPath } from 'node:url';
import { dockerCompose } from './base-images.ts';
import { createCgroups, podmanCgroup } from './cgroups.ts';
import { podman, servePodman } from './podman.ts';
import { runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The deployment of `docker-compose.yml`. */
export interface ComposeDeployment {
  /** Runs a command of Docker Compose in the root of the checkout, and resolves to its output. */
  compose(...args: string[]): Promise<string>;
  /** Removes the containers and their data. */
  stop(): Promise<void>;
}

/**
 * Starts `docker compose up` on Podman. The gateway answers on 127.0.0.1:8000 once it has started. `variables` are those of the compose files.
 */
export async function startCompose(variables: Record<string, string>): Promise<ComposeDeployment> {
  const env = { ...variables, DOCKER_HOST: await servePodman(), DOCKER_BUILDKIT: '0' };
  const compose = (...args: string[]): Promise<string> => runProgram(dockerCompose, args, { cwd: root, env });
  createCgroups(podmanCgroup);
  const health = checkHealth();
  const stop = async (): Promise<void> => {
    await health.stop();
    await compose('down', '--volumes', '--remove-orphans', '--timeout', '5');
    await podman('volume', 'prune', '--force');
  };
  try {
    await compose('up', '--detach');
  } catch (error) {
    const logs = await compose('logs', '--tail', '20').catch(String);
    await stop().catch(() => undefined);
    throw new Error(`${(error as Error).message}\n${logs.slice(-6_000)}`);
  }
  return { compose, stop };
}

/** Runs the health checks of the containers each second, which Podman leaves to timers of systemd. */
function checkHealth(): { stop(): Promise<void> } {
  const checks = { areOver: false };
  const check = async (): Promise<void> => {
    while (!checks.areOver) {
      const ids = (await podman('ps', '--quiet').catch(() => '')).split('\n').filter(Boolean);
      await Promise.all(ids.map((id) => podman('healthcheck', 'run', id).catch(() => undefined)));
      await new Promise((wake) => setTimeout(wake, 1_000));
    }
  };
  const done = check();
  return {
    stop: () => {
      checks.areOver = true;
      return done;
    },
  };
}
