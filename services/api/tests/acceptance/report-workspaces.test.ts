import { afterAll, expect, test } from 'vitest';
import { catalogCalls } from '../support/catalog.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const calls = catalogCalls(service);
const attach = (body: object) => service.send('POST', '/v1/handoff-reports/workspace-bindings/attach', body);

afterAll(() => service.stop());

const local = { provider: 'local', subpath: '.' } as const;

test('spec 30 scenario 34: a second first attach, another Project and a user name are refused', async () => {
  const [{ project_id }, other] = [await calls.made(), await calls.made()];
  const workspace = freshScope('workspace');
  const first = await calls.attach(workspace, project_id, null);
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    schema: 'service.workspace-binding.v1',
    workspace_instance_id: workspace,
    project_id,
    repository_ref: { provider: 'local', repository_id: null, normalized_remote: null, subpath: '.' },
    state: 'confirmed',
    confirmed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    version: 1,
  });
  expect((await calls.binding(workspace)).body).toEqual(first.body);
  const again = await calls.attach(workspace, project_id, null);
  expect([again.status, again.error?.code, again.error?.details]).toEqual([
    409,
    'workspace_binding_conflict',
    { reason: 'stale_version', expected_version: null, current_version: 1 },
  ]);
  expect((await calls.attach(workspace, other.project_id, 1)).error?.details).toEqual({
    reason: 'other_project',
    project_id,
    expected_version: 1,
    current_version: 1,
  });
  expectIssues(
    await attach({
      workspace_instance_id: freshScope(),
      project_id,
      repository_ref: { provider: 'github', normalized_remote: 'https://u@h/r' },
      expected_version: null,
    }),
    ['repository_ref.normalized_remote'],
  );
});

test('spec 30 §5.6: a binding is attached, changed, detached and moved, each with the next version', async () => {
  const [{ project_id }, other] = [await calls.made(), await calls.made()];
  const workspace = freshScope('workspace');
  const first = (await calls.attach(workspace, project_id, null)).body;
  const repository_ref = {
    provider: 'gitlab',
    repository_id: 'r',
    normalized_remote: null,
    subpath: 'a',
  } as const;
  const changed = (await calls.attach(workspace, project_id, 1, repository_ref)).body;
  expect(changed).toMatchObject({ version: 2, repository_ref, state: 'confirmed' });
  expect(changed.confirmed_at >= first.confirmed_at).toBe(true);
  const detached = await calls.detach(workspace, 2);
  expect(detached.body).toEqual({ ...changed, state: 'detached', version: 3 });
  expect((await calls.binding(workspace)).error?.code).toBe('workspace_binding_not_found');
  expect((await calls.detach(workspace, 3)).error?.details).toEqual({
    reason: 'not_confirmed',
    expected_version: 3,
    current_version: 3,
  });
  expect((await calls.attach(workspace, other.project_id, null)).error?.details).toEqual({
    reason: 'stale_version',
    expected_version: null,
    current_version: 3,
  });
  const moved = await calls.attach(workspace, other.project_id, 3);
  expect(moved.body).toMatchObject({ project_id: other.project_id, version: 4, state: 'confirmed' });
  expect((await calls.detach(workspace, 2)).error?.details).toEqual({
    reason: 'stale_version',
    expected_version: 2,
    current_version: 4,
  });
});

test('spec 30 §5.6.2: a version without a record is `missing`, and an unknown Project is 404 before it', async () => {
  const { project_id } = await calls.made();
  const workspace = freshScope('workspace');
  const missing = { reason: 'missing', current_version: null };
  expect((await calls.attach(workspace, project_id, 1)).error?.details).toEqual({
    ...missing,
    expected_version: 1,
  });
  expect((await calls.detach(workspace, 2 ** 40)).error?.details).toEqual({
    ...missing,
    expected_version: 2 ** 40,
  });
  expect((await calls.attach(workspace, 'nowhere', 1)).error?.code).toBe('project_not_found');
  expectIssues(await attach({ workspace_instance_id: workspace, project_id, repository_ref: local }), [
    'expected_version',
  ]);
  expectIssues(
    await attach({
      workspace_instance_id: workspace,
      project_id: 'nowhere',
      repository_ref: { provider: 'local', repository_id: null },
      expected_version: 1,
    }),
    ['repository_ref'],
  );
});

test('spec 30 §5.6.1: of concurrent attaches and detaches of one version one succeeds', async () => {
  const { project_id } = await calls.made();
  const workspace = freshScope('workspace');
  const first = await race(10, () => calls.attach(workspace, project_id, null));
  expect(countStatuses(first)).toEqual({ 200: 1, 409: 9 });
  const next = await race(10, (index) =>
    index % 2 === 0 ? calls.attach(workspace, project_id, 1) : calls.detach(workspace, 1),
  );
  expect(countStatuses(next)).toEqual({ 200: 1, 409: 9 });
});

test('spec 30 scenario 54: references are stored normalized, or refused', async () => {
  const { project_id } = await calls.made();
  const stored = async (fields: object) =>
    (await calls.attach(freshScope(), project_id, null, { provider: 'other', ...fields })).body
      .repository_ref;
  expect(await stored({ normalized_remote: 'github.com/acme/shop/' })).toMatchObject({
    normalized_remote: 'github.com/acme/shop',
  });
  expect(await stored({ subpath: 'a\\b//./c/' })).toMatchObject({ subpath: 'a/b/c' });
  const refused: [object, string][] = [
    ...['https://h/a/../b', 'https:///a', 'https://h:0/a', 'https://h:70000/a', 'a b'].map(
      (normalized_remote): [object, string] => [{ normalized_remote }, 'normalized_remote'],
    ),
    [{ subpath: 'C:\\x' }, 'subpath'],
  ];
  for (const [fields, field] of refused) {
    expectIssues(
      await attach({
        workspace_instance_id: freshScope(),
        project_id,
        repository_ref: { provider: 'other', ...fields },
        expected_version: null,
      }),
      [`repository_ref.${field}`],
    );
  }
});
