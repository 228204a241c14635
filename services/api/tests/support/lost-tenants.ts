import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type RawReply, temporaryDirectory, waitUntil } from '@continuity/testing';
import { expect } from 'vitest';
import { essence } from './essence.ts';
import { writeSkill, writeSkillHosts } from './external-skills.ts';
import { type Names, plant, viewOf } from './planted.ts';
import { probes, type Walled } from './probes.ts';
import { startTestGateway, type TestService } from './service.ts';
import { clientOf, writeTokens } from './tenants.ts';

/** Pause between two writes, in milliseconds. */
const pollMs = 5;

/** Tenants of the service, whose creation the database loses. `poller` writes all the time. */
const lostTenants = ['poller', 'lost'];

/** Tenants that are created afterwards: one with data, and one that nobody has ever known. Answers may have the length of its name. */
const newTenants = ['newcomer', 'none'];

/** Settings of a service whose tenants the database is going to lose. */
export async function settingsOfLost(): Promise<Record<string, string>> {
  const path = await temporaryDirectory('skills');
  await writeSkill(path, 'wall');
  const roots = [...lostTenants, ...newTenants].map((tenant) => ({ path, tenant }));
  return {
    AUTH_TOKENS_FILE: await writeTokens(...lostTenants),
    EXTERNAL_SKILLS_FILE: await writeSkillHosts({ host: roots }),
    MEMORY_AUTO_FLUSH: 'off',
  };
}

/**
 * Runs `lose`, by which the database loses the tenants of the running service, and expects:
 * - each write in between is 503, until it succeeds;
 * - each operation then answers a lost tenant as one that the database has never known, although the database has given ids to a new
 *   tenant with data.
 */
export async function expectLostTenantsUnknown(
  service: TestService,
  settingsOfNew: Partial<TestService['settings']>,
  lose: () => Promise<void>,
): Promise<void> {
  const lost = clientOf(service.url, 'lost');
  await plant(lost);
  const poll = startPolling(clientOf(service.url, 'poller'));
  await waitUntil(() => poll.statuses.has(200));
  await lose();
  const gateway = await startTestGateway({
    ...service.settings,
    ...settingsOfNew,
    PORT: 0,
    AUTH_TOKENS_FILE: await writeTokens(...newTenants),
  });
  try {
    await gateway.ready;
    const newcomer = clientOf(gateway.url, 'newcomer');
    await waitUntil(async () => (await newcomer.call('get_readiness')).body.status === 'ready');
    const names = await plant(newcomer);
    const before = await viewOf(newcomer, names);
    expect((await clientOf(service.url, 'nobody').send('GET', '/v1/capabilities')).status).toBe(401);
    await expectEqualAnswers(lost, clientOf(gateway.url, 'none'), names);
    expect(await viewOf(newcomer, names)).toEqual(before);
    const served = poll.statuses.get(200) ?? 0;
    await waitUntil(() => (poll.statuses.get(200) ?? 0) > served);
    await poll.stop();
    expect([...poll.statuses.keys()].toSorted()).toEqual([200, 503]);
  } finally {
    await poll.stop();
    await gateway.stop();
  }
}

/** Sends the probes of each operation, with the names of another tenant, as two tenants without data. */
async function expectEqualAnswers(one: Client, other: Client, names: Names): Promise<void> {
  for (const id of Object.keys(probes) as Walled[]) {
    for (const { method, path, body, headers } of probes[id](names)) {
      const reply = await one.send(method, path, body, headers);
      const expected = await other.send(method, path, body, headers);
      expect({ id, ...alike(reply, names) }).toEqual({ id, ...alike(expected, names) });
    }
  }
}

/** The name of the tenant, digests over new ids and times, cursors, and times of what the tenant itself has created. */
const ownValues = /(?<="tenant":")[^"]+|[0-9a-f]{32,}|(?<="next_cursor":")[^"]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

function alike(reply: RawReply, names: Names) {
  const { status, text, headers } = essence(reply, names);
  const masked = (value: string) => value.replaceAll(ownValues, '<own>');
  return { status, text: masked(text), headers: headers.map(masked) };
}

/** Writes one Memory entry after the other, and counts the statuses. */
function startPolling(client: Client): { statuses: Map<number, number>; stop(): Promise<void> } {
  const statuses = new Map<number, number>();
  let isStopped = false;
  const write = async () => {
    for (let index = 0; !isStopped; index += 1) {
      const body = { scope_id: `of-${index % 5}`, kind: 'fact', text: `Fact ${index}.` };
      const { status } = await client.send('POST', '/v1/memory/remember', body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await sleep(pollMs);
    }
  };
  const writers = Promise.all([write(), write()]);
  const stop = async () => {
    isStopped = true;
    await writers;
  };
  return { statuses, stop };
}
