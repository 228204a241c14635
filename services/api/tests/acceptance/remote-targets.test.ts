import { randomBytes } from 'node:crypto';
import { operations } from '@continuity/contract/operations';
import { loadTokens } from '@continuity/shared/tenants';
import { clientFor, waitUntil } from '@continuity/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { expectIssues, freshScope, race } from '../support/memory.ts';
import { bearing, remoteCalls } from '../support/remote-skills.ts';
import { startService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import { query } from '../support/sql.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

const service = await startService({
  workers: true,
  environment: {
    AUTH_TOKENS_FILE: await writeTokens('a', 'b'),
    MEMORY_AUTO_FLUSH: 'off',
    REMOTE_SWEEP_INTERVAL_MS: '100',
  },
});
const a = clientOf(service.url, 'a');
const b = clientOf(service.url, 'b');
const remote = remoteCalls(a);
const skills = skillCalls(a);
const receiver = remoteCalls(service);

afterAll(() => service.stop());

const unknownCode = () => `ske_${randomBytes(32).toString('base64url')}`;
const unknownCredential = () =>
  `skt_${randomBytes(16).toString('hex')}.${randomBytes(32).toString('base64url')}`;
const receiverPaths = ['reconcile', 'package/download', 'receipt'].map((path) => `/v1/skill/remote/${path}`);

/** Makes the code of a target expire. */
const expire = (target_id: string) =>
  query(
    service.databaseUrl,
    `UPDATE remote_skill_targets SET enrollment_expires_at = now() - interval '1 minute' WHERE target_id = $1`,
    [target_id],
  );

describe('spec 40 scenario 30: one-time codes', () => {
  test('of two enrollments at once with one code, one gets the credential', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { enrollment_code } = (await remote.create(freshScope())).body;
      const replies = await race(4, () => receiver.enroll(enrollment_code));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    }
  });

  test('used, revoked, expired, malformed and random codes answer alike', async () => {
    const scope = freshScope();
    const create = async () => (await remote.create(scope)).body;
    const [used, revoked, expired] = [await create(), await create(), await create()];
    await receiver.enroll(used.enrollment_code);
    await remote.revoke(scope, revoked.target.target_id, 0);
    await expire(expired.target.target_id);
    const codes = [used, revoked, expired].map(({ enrollment_code }) => enrollment_code);
    for (const code of [...codes, unknownCode(), 'x'.repeat(32), 'x'.repeat(256)]) {
      const { error } = await receiver.enroll(code);
      expect(error).toMatchObject({ code: 'enrollment_invalid', details: {} });
    }
  });

  test('an installation that is bound to an active target does not consume the code', async () => {
    const scope = freshScope();
    const [first, second] = [(await remote.create(scope)).body, (await remote.create(scope)).body];
    const installed = await race(2, (index) =>
      receiver.enroll((index === 0 ? first : second).enrollment_code, 'one-installation'),
    );
    expect(installed.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const rest = installed[0]?.status === 200 ? second : first;
    const bound = installed[0]?.status === 200 ? first : second;
    expect((await receiver.enroll(rest.enrollment_code, 'one-installation')).status).toBe(409);
    await remote.revoke(scope, bound.target.target_id, 1);
    expect((await receiver.enroll(rest.enrollment_code, 'one-installation')).status).toBe(200);
  });

  test('only hashes are stored, and no list, error or job has a code or a credential', async () => {
    const scope = freshScope();
    const { target, enrollment_code } = (await remote.create(scope)).body;
    expect(enrollment_code).toMatch(/^ske_[A-Za-z0-9_-]{43}$/);
    const { credential } = (await receiver.enroll(enrollment_code)).body;
    expect(credential).toMatch(/^skt_[0-9a-f]{32}\.[A-Za-z0-9_-]{43}$/);
    await receiver.reconcile(credential);
    const [stored] = await query<{ rows: string }>(
      service.databaseUrl,
      `SELECT (SELECT json_agg(t) FROM remote_skill_targets t)::text || (SELECT json_agg(j) FROM jobs j)::text AS rows`,
    );
    const listed = JSON.stringify(await remote.target(scope, target.target_id));
    for (const text of [stored?.rows ?? '', listed]) {
      expect(text).not.toContain(credential);
      expect(text).not.toContain(enrollment_code);
    }
  });

  test('names of machine and workspace can be no path', async () => {
    for (const name of ['a/b', 'a\\b', 'a\tb', 'a\u0085b']) {
      for (const field of ['machine_hostname', 'workspace_name']) {
        const body = {
          enrollment_code: unknownCode(),
          installation_id: 'x',
          receiver_version: '1',
          [field]: name,
        };
        expectIssues(await service.send('POST', '/v1/skill/remote/target/enroll', body), [field]);
      }
    }
  });
});

describe('spec 40 scenario 31: a credential is for one target', () => {
  test('what is published to another target is unknown, and a revoked target is refused like a random credential', async () => {
    const scope = freshScope();
    const [one, two] = [await remoteAndSkill(scope), await remoteAndSkill(scope, 'other-skill')];
    const action = await receiver.action(two.credential);
    expect((await receiver.download(one.credential, action)).error?.code).toBe(
      'remote_publication_not_found',
    );
    expect((await receiver.receipt(one.credential, action)).error?.code).toBe('remote_publication_not_found');
    await remote.revoke(scope, one.target_id, 1);
    for (const path of receiverPaths) {
      const refused = await service.send('POST', path, 'no json', bearing(one.credential));
      const random = await service.send('POST', path, 'no json', bearing(unknownCredential()));
      expectError(refused, 401, 'unauthorized');
      expect(refused.text).toBe(random.text);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await receiver.download(two.credential, action)).status).toBe(200);
  });

  test('revoke against reconcile, receipt and publish: a refused call has written nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const scope = freshScope();
      const { target_id, credential } = await remoteAndSkill(scope);
      const action = await receiver.action(credential);
      const [revoked, receipt, reconciled] = await Promise.all([
        remote.revoke(scope, target_id, 1),
        receiver.receipt(credential, action),
        receiver.reconcile(credential),
      ]);
      expect(revoked.status).toBe(200);
      for (const { status } of [receipt, reconciled]) expect([200, 401]).toContain(status);
      const { target, publications } = await remote.target(scope, target_id);
      expect(target).toMatchObject({ state: 'revoked', generation: 2 });
      if (receipt.status === 401) expect(publications).toMatchObject([{ state: 'pending' }]);
    }
  });

  test('receipts against publishes: the row is of the last intent, and never current for an older one', async () => {
    const scope = freshScope();
    const { target_id, credential, skill } = await remoteAndSkill(scope);
    const second = await skills.approved(scope, archiveOf(skillFile('one-skill', 'Do it twice.')), {
      target: skill,
    });
    const action = await receiver.action(credential);
    const [published, ...receipts] = await Promise.all([
      remote.publish(scope, target_id, second, 0),
      ...Array.from({ length: 4 }, () => receiver.receipt(credential, action)),
    ]);
    expect(published.status).toBe(200);
    for (const { status } of receipts) expect(status).toBe(200);
    expect(await remote.publication(scope, target_id, skill)).toMatchObject({
      state: 'pending',
      generation: 1,
      desired_revision: 2,
    });
  });

  test('of concurrent publishes with one generation, one wins', async () => {
    const scope = freshScope();
    const { target_id, skill } = await remoteAndSkill(scope);
    const fresh = await remote.enrolledBy(service, scope);
    const replies = await race(5, () => remote.publish(scope, fresh.target_id, skill));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    const removals = await race(3, () => remote.unpublish(scope, target_id, skill, 0));
    expect(removals.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});

describe('spec 40 scenario 32: credentials and tokens open different doors', () => {
  test('a credential is 401 on every operation but those of Receivers, and on every page', async () => {
    const { credential } = await remote.enrolledBy(service, freshScope());
    const others = operations.filter(({ auth }) => auth === 'bearer');
    const paths = others.map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, 'x') }));
    const pages = ['/docs', '/redoc', '/openapi.json', '/metrics', '/mcp', '/nothing'];
    for (const { method, path } of [...paths, ...pages.map((path) => ({ method: 'GET', path }))]) {
      const reply = await service.send(
        method,
        path,
        method === 'GET' ? undefined : '{}',
        bearing(credential),
      );
      expectError(reply, 401, 'unauthorized');
    }
    for (const path of ['/health/live', '/health/ready'])
      expect((await service.send('GET', path, undefined, bearing(credential))).status).toBe(200);
  });

  test('a token is 401 on the operations of Receivers', async () => {
    for (const path of receiverPaths) {
      for (const token of [tokenOf('a'), tokenOf('operator'), `skt_${'0'.repeat(32)}`]) {
        const reply = await service.send('POST', path, '{}', { authorization: `Bearer ${token}` });
        expectError(reply, 401, 'unauthorized');
      }
      expectError(await service.send('POST', path, '{}'), 401, 'unauthorized');
    }
  });

  test('a credential shows its own Scope and target, also where another tenant has an equal Scope', async () => {
    const scope = freshScope();
    const ofA = await remoteAndSkill(scope);
    const ofB = await remoteCalls(b).enrolledBy(service, scope);
    expect((await receiver.reconcile(ofB.credential)).body).toEqual({
      scope_id: scope,
      target_id: ofB.target_id,
      actions: [],
    });
    expect(await receiver.actions(ofA.credential)).toHaveLength(1);
    expect(await remoteCalls(b).list(scope)).toHaveLength(1);
  });
});

describe('spec 40 scenario 40: expiry and presence', () => {
  test('pending targets past their expiry are revoked by the periodic job, of all tenants', async () => {
    const scope = freshScope();
    const ids = [(await remote.create(scope)).body, (await remoteCalls(b).create(scope)).body].map(
      ({ target }) => target.target_id,
    );
    const [ofA = '', ofB = ''] = ids;
    for (const id of ids) await expire(id);
    await waitUntil(async () => (await remote.target(scope, ofA)).target.state === 'revoked');
    await waitUntil(async () => (await remoteCalls(b).target(scope, ofB)).target.state === 'revoked');
    expect((await remote.target(scope, ofA)).target).toMatchObject({ generation: 1, presence: 'unknown' });
    const [row] = await query(
      service.databaseUrl,
      'SELECT enrollment_code_hash FROM remote_skill_targets WHERE target_id = $1',
      [ofA],
    );
    expect(row).toEqual({ enrollment_code_hash: null });
  });

  test('a silent target is offline, and its next contact makes it online without a new generation', async () => {
    const scope = freshScope();
    const { target_id, credential } = await remote.enrolledBy(service, scope);
    const seen = async () => (await remote.target(scope, target_id)).target;
    expect(await seen()).toMatchObject({ presence: 'online', generation: 1 });
    const silence = `UPDATE remote_skill_targets SET last_seen_at = now() - interval '5 minutes 1 second' WHERE target_id = $1`;
    await query(service.databaseUrl, silence, [target_id]);
    expect(await seen()).toMatchObject({ presence: 'offline', generation: 1 });
    await receiver.reconcile(credential);
    expect(await seen()).toMatchObject({ presence: 'online', generation: 1, receiver_version: '1.0.0' });
  });

  test('a refused call is a contact, one that breaks its shape is none', async () => {
    const scope = freshScope();
    const { target_id, credential } = await remoteAndSkill(scope);
    const action = await receiver.action(credential);
    const seen = async () => (await remote.target(scope, target_id)).target.last_seen_at;
    const forget = () =>
      query(service.databaseUrl, 'UPDATE remote_skill_targets SET last_seen_at = NULL WHERE target_id = $1', [
        target_id,
      ]);
    for (const call of [
      () => receiver.download(credential, { ...action, generation: 1 }),
      () => receiver.receipt(credential, { ...action, generation: 1 }),
      () => receiver.receipt(credential, { ...action, artifact: { ...action.artifact, artifact_id: 'x' } }),
    ]) {
      await forget();
      expect([404, 409]).toContain((await call()).status);
      expect(await seen()).not.toBeNull();
    }
    await forget();
    for (const path of receiverPaths) {
      expect((await service.send('POST', path, '{}', bearing(credential))).status).toBe(422);
      expect((await service.send('POST', path, '{"x":"\\u0000"}', bearing(credential))).status).toBe(422);
    }
    expect(await seen()).toBeNull();
  });
});

describe('spec 40 scenario 41: names and generations of targets', () => {
  test('a renamed pending target still enrolls, and the same name changes nothing', async () => {
    const scope = freshScope();
    const { target, enrollment_code } = (await remote.create(scope)).body;
    const { target_id } = target;
    const renamed = await remote.rename(scope, target_id, '  laptop ', 0);
    expect(renamed.body).toMatchObject({ display_name: 'laptop', generation: 1, state: 'pending' });
    expect((await remote.rename(scope, target_id, 'laptop', 1)).body).toEqual(renamed.body);
    const stale = await remote.rename(scope, target_id, 'other', 0);
    expect(stale.error).toMatchObject({
      code: 'remote_target_conflict',
      details: { expected_generation: 0, current_generation: 1, state: 'pending' },
    });
    await receiver.enroll(enrollment_code);
    const active = (await remote.target(scope, target_id)).target;
    expect(active).toMatchObject({ state: 'active', generation: 2 });
    const revoked = await remote.revoke(scope, target_id, 2);
    expect(revoked.body).toMatchObject({ state: 'revoked', generation: 3 });
    expect((await remote.revoke(scope, target_id, 3)).body).toEqual(revoked.body);
    expect((await remote.rename(scope, target_id, 'gone', 3)).body).toMatchObject({ generation: 4 });
  });

  test('targets are listed by state and creation, and 200 of a Scope at most are not revoked', async () => {
    const scope = freshScope();
    expect(await remote.list(scope)).toEqual([]);
    const first = (await remote.create(scope)).body.target.target_id;
    const second = (await remote.create(scope, 'claude_code')).body.target.target_id;
    await remote.revoke(scope, first, 0);
    const third = (await remote.create(scope)).body.target.target_id;
    const ids = async (more = {}) => (await remote.list(scope, more)).map(({ target }) => target.target_id);
    expect(await ids()).toEqual([second, third, first]);
    expect(await ids({ limit: 1 })).toEqual([second]);
    expect(await ids({ target_id: first })).toEqual([first]);
    expect(await ids({ target_id: 'unknown' })).toEqual([]);
    const created = await race(210, () => remote.create(scope));
    expect(created.filter(({ status }) => status === 201)).toHaveLength(198);
    const refused = created.find(({ status }) => status === 409);
    expect(refused?.error).toMatchObject({ code: 'remote_target_conflict', details: { reason: 'limit' } });
  });
});

test('spec 40 §9: with REMOTE_REQUIRE_HTTPS Receivers are refused over plain HTTP from beyond a proxy', async () => {
  const strict = await startService({ environment: { REMOTE_REQUIRE_HTTPS: 'on' } });
  try {
    const calls = remoteCalls(strict);
    const { enrollment_code } = (await calls.create(freshScope())).body;
    const body = { enrollment_code, installation_id: 'x', receiver_version: '1' };
    const send = (protocol: string) =>
      strict.send('POST', '/v1/skill/remote/target/enroll', body, { 'x-forwarded-proto': protocol });
    for (const protocol of ['http', 'http, https', 'ftp', ''])
      expectError(await send(protocol), 401, 'unauthorized');
    expect((await send('https')).status).toBe(200);
    const direct = await calls.enrolled(freshScope());
    const receipt = '/v1/skill/remote/receipt';
    expect((await strict.send('POST', receipt, '{}', bearing(direct.credential))).status).toBe(422);
    const insecure = { ...bearing(direct.credential), 'x-forwarded-proto': 'http' };
    expectError(await strict.send('POST', receipt, '{}', insecure), 401, 'unauthorized');
    // Without authentication too, a credential opens nothing else.
    expectError(
      await strict.send('GET', '/openapi.json', undefined, bearing(direct.credential)),
      401,
      'unauthorized',
    );
  } finally {
    await strict.stop();
  }
});

test('spec 40 §8: a token that begins with skt_ stops the service at its start', async () => {
  const settings = { AUTH_TOKEN: `skt_${'x'.repeat(32)}`, AUTH_TOKENS_FILE: undefined };
  await expect(loadTokens(settings)).rejects.toThrow('AUTH_TOKEN must not begin with skt_');
});

/** An enrolled target with one Skill that is published to it. */
async function remoteAndSkill(scope: string, name = 'one-skill') {
  const target = await remote.enrolledBy(service, scope);
  const skill = await skills.approved(scope, archiveOf(skillFile(name)));
  await remote.publish(scope, target.target_id, skill);
  return { ...target, skill };
}

test('spec 40 §9: Receivers work beside authentication, without a token', async () => {
  const { credential } = await remoteAndSkill(freshScope());
  const prefers = clientFor(service.url, { ...bearing(credential), prefer: 'respond-async' });
  const reply = await prefers.send('POST', '/v1/skill/remote/reconcile', {
    observations: [],
    receiver_version: '1.0.0',
  });
  expect(reply.status).toBe(200);
});
