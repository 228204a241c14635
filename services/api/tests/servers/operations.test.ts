import { operations, successesOf } from '@continuity/contract/operations';
import { type Client, createDatabase, type TestDatabase } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalSkills } from '../contract/support/external-skills.ts';
import { plantJobs } from '../contract/support/places.ts';
import { provokeSuccess } from '../contract/support/provocations.ts';
import { type Deployment, startDeployment } from '../support/servers.ts';

let databases: TestDatabase[];
let deployment: Deployment;
let client: Client;

beforeAll(async () => {
  databases = [await createDatabase(), await createDatabase()];
  const [a, b] = databases as [TestDatabase, TestDatabase];
  deployment = await startDeployment(
    [
      { name: 'a', url: a.url, tenants: ['first'] },
      { name: 'b', url: b.url, tenants: ['default'] },
    ],
    ['first', 'default'],
    { workers: true, environment: externalSkills },
  );
  await plantJobs(b.url);
  client = Object.assign(deployment.client('default'), { databaseUrl: b.url });
}, 60_000);

afterAll(async () => {
  await deployment.stop();
  for (const database of databases) await database.drop();
});

describe.each(operations.filter(({ tag }) => tag !== 'system'))(
  '$id of a tenant of the second server',
  (operation) => {
    test.each(successesOf(operation))('answers $status', async ({ status }) => {
      const reply = await provokeSuccess(client, operation, status);
      expect(reply.status, reply.text).toBe(status);
    });
  },
);
