import { readFile } from 'node:fs/promises';
import { settingsSchema } from '@continuity/kernel/config';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

type Service = {
  build?: { args: Record<string, string> };
  image: string;
  command?: string[];
  environment?: Record<string, unknown>;
  healthcheck?: { disable?: boolean; test?: string[] };
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
};

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  await read('docker-compose.yml'),
  { merge: true },
);
const services = Object.entries(compose.services);

describe('docker-compose.yml', () => {
  test.each(services.filter(([, service]) => service.build))(
    '%s is only given settings that exist',
    (_, service) => {
      const known = Object.keys(settingsSchema.shape);
      expect(Object.keys(service.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
    },
  );

  test('every process with a database gets the chosen provider of the model, and the reranker', () => {
    const processes = services
      .map(([, { environment }]) => environment)
      .filter((environment) => environment?.['DATABASE_HOST'] !== undefined);
    expect(processes.length).toBeGreaterThanOrEqual(4);
    for (const environment of processes) {
      expect(environment?.['INFERENCE_PROVIDER']).toMatch(/INFERENCE_PROVIDER:-/);
      for (const name of Object.keys(settingsSchema.shape).filter((one) => one.startsWith('MEMORY_RERANK_')))
        expect(environment?.[name], name).toContain(`\${${name}:-`);
    }
  });

  test.each(services)('the image of %s can be named by its digest', async (_, { build, image }) => {
    const [, name, fallback] = /^\$\{([A-Z]+_IMAGE):-(.+)\}$/.exec(build?.args['NODE_IMAGE'] ?? image) ?? [];
    expect(fallback).toMatch(/^[a-z/-]+:[a-z0-9.-]+$/);
    if (build === undefined) return;
    expect(name).toBe('NODE_IMAGE');
    const dockerfile = await read('Dockerfile');
    expect(dockerfile).toContain(`ARG NODE_IMAGE=${fallback}\n`);
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(2);
    expect(dockerfile.match(/^FROM \$\{NODE_IMAGE\}/gm)).toHaveLength(2);
  });

  test.each(services)('%s says how its health is known', (_, { healthcheck }) => {
    expect(healthcheck?.disable === true || (healthcheck?.test?.length ?? 0) > 0).toBe(true);
  });

  test.each(services)('%s waits for what it needs in a way that can come true', (_, { depends_on = {} }) => {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const needed = compose.services[name];
      expect(needed, `${name} is a service`).toBeDefined();
      if (condition === 'service_healthy')
        expect(needed?.healthcheck?.test, `${name} has a health check`).toBeDefined();
      else expect(condition).toBe('service_completed_successfully');
    }
  });

  test('the gateway and the workers start on a migrated database', () => {
    for (const name of ['gateway', 'workers']) {
      const service = compose.services[name];
      expect(service?.depends_on?.['migrate']?.condition).toBe('service_completed_successfully');
    }
  });

  test('the queue’s Redis never evicts a key', () => {
    expect(compose.services['redis']?.command?.join(' ')).toContain('--maxmemory-policy noeviction');
  });

  test('named volumes are declared', () => {
    const named = services
      .flatMap(([, service]) => service.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((source) => !source.startsWith('.'));
    expect(Object.keys(compose.volumes).sort()).toEqual([...new Set(named)].sort());
  });
});

describe('deploy/compose/servers.yaml', async () => {
  const addition: typeof compose & { configs: Record<string, { content?: string }> } = parse(
    await read('deploy/compose/servers.yaml'),
    { merge: true },
  );

  test('gives the file of the servers, and no other address, to each process with a database', () => {
    const known = Object.keys(settingsSchema.shape);
    for (const [name, { environment }] of services) {
      if (environment?.['DATABASE_HOST'] === undefined) continue;
      const added = addition.services[name]?.environment ?? {};
      expect(added, name).toMatchObject({ DATABASE_SERVERS_FILE: '/etc/continuity/servers.json' });
      for (const key of Object.keys(environment).filter((one) => one.startsWith('DATABASE_')))
        expect(added[key], `${name} ${key}`).toBe('');
      expect(Object.keys(added).filter((key) => !known.includes(key))).toEqual([]);
    }
  });

  test('names servers that exist', () => {
    const text = addition.configs['servers']?.content?.replaceAll(/\$\{[^}]*\}/g, 'x') ?? '';
    const { servers } = JSON.parse(text) as { servers: { url: string }[] };
    const names = [...Object.keys(compose.services), ...Object.keys(addition.services)];
    expect(servers.length).toBeGreaterThan(1);
    for (const { url } of servers) expect(names).toContain(new URL(url).hostname);
  });
});

test('every pipeline of the collector uses configured components', async () => {
  const config = parse(await read('deploy/otel/collector.yaml'));
  for (const pipeline of Object.values<Record<string, string[]>>(config.service.pipelines)) {
    for (const [kind, names] of Object.entries(pipeline)) {
      expect(Object.keys(config[kind])).toEqual(expect.arrayContaining(names));
    }
  }
});

test('the image is built with the configuration that the bundler reads', async () => {
  const { extends: base } = JSON.parse(await read('packages/console/tsconfig.json'));
  expect(base).toMatch(/^\.\.\/\.\.\/[\w.]+$/);
  expect((await read('.dockerignore')).split('\n')).toContain(`!${base.replace('../../', '')}`);
});

test('the image, the commands and the guide use one version of pnpm', async () => {
  const files = await Promise.all(['Dockerfile', 'scripts/toolchain.mjs', 'CONTRIBUTING.md'].map(read));
  const versions = files.flatMap((content) => content.match(/pnpm@[\d.]+/g) ?? []);
  expect(versions.length).toBeGreaterThanOrEqual(files.length);
  expect(new Set(versions).size).toBe(1);
});
