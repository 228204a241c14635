import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findProgram } from '../../../../packages/testing/src/tools.ts';
import { clientOf } from '../support/tenants.ts';
import { type Machine, setUpImports } from './machine.ts';

const on = setUpImports('migrate', 2);
const python = await findProgram('python3');

/** The SDKs as far as the export of the guide uses them. */
const sdks = {
  'mem0/__init__.py': `
class MemoryClient:
    def get_all(self, filters):
        return {"results": [{"id": "m1", "memory": "Prefers tea.", "user_id": "ann", "created_at": "2026-05-01T08:00:00+00:00"}]}
`,
  'zep_cloud/__init__.py': '',
  'zep_cloud/client.py': `
from types import SimpleNamespace as N

class Zep:
    def __init__(self, api_key):
        episodes = [N(uuid_="e1", content="Ann: we deploy on Tuesdays.", created_at="2026-05-01T08:00:00Z")]
        edges = [
            N(uuid_="f1", fact="Ann deploys on Tuesdays.", invalid_at=None, expired_at=None),
            N(uuid_="f2", fact="Ann deploys on Fridays.", invalid_at="2026-04-01T00:00:00Z", expired_at=None),
        ]
        self.graph = N(
            episode=N(get_by_user_id=lambda user_id, lastn: N(episodes=episodes)),
            edge=N(get_by_user_id=lambda user_id: edges),
        )
`,
};

/** Runs the export and the imports of one chapter of the guide on a machine. */
async function migrate(machine: Machine, chapter: string): Promise<void> {
  const page = await readFile(new URL('../../../../docs/migrate.md', import.meta.url), 'utf8');
  const [, text = ''] = page.split(`\n## ${chapter}\n`);
  const [own = ''] = text.split('\n## ');
  const [, code = ''] = /```python\n([\s\S]*?)```/.exec(own) ?? [];
  for (const [path, module] of Object.entries(sdks)) await machine.write(join('sdks', path), module);
  const program = await machine.write('export.py', code.replaceAll(/^ {3}/gm, ''));
  await promisify(execFile)(python ?? '', [program], {
    cwd: machine.home,
    env: { ...process.env, PYTHONPATH: join(machine.home, 'sdks'), ZEP_API_KEY: 'none' },
  });
  const commands = [...own.matchAll(/^ *continuity import (.+) (\S+)$|^ *continuity import (\S+)$/gm)];
  expect(commands).toHaveLength(2);
  for (const [, options = '', file, alone] of commands) {
    const args = [...options.split(' ').filter(Boolean), join(machine.home, file ?? alone ?? '')];
    const { code: exit, stderr } = await machine.run(...args);
    expect(exit, stderr).toBe(0);
  }
}

test.skipIf(python === undefined)('the export of mem0 becomes entries, as the guide says', async () => {
  const machine = await on.newMachine();
  await migrate(machine, 'mem0');
  const client = clientOf(on.service.url, machine.tenant);
  const listed = await client.send('POST', '/v1/memory/entries/list', { scope_id: 'mem0:ann' });
  expect(listed.json).toMatchObject({ entries: [{ text: 'Prefers tea.', source_refs: [{}] }] });
});

test.skipIf(python === undefined)(
  'the export of Zep becomes evidence and entries, as the guide says',
  async () => {
    const machine = await on.newMachine();
    await migrate(machine, 'Zep');
    const client = clientOf(on.service.url, machine.tenant);
    const listed = await client.send('POST', '/v1/memory/entries/list', { scope_id: 'zep:ann' });
    const entries = (listed.json as { entries: { kind: string; text: string }[] }).entries;
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: 'fact', text: 'Ann deploys on Tuesdays.' }),
    );
    expect(JSON.stringify(entries)).not.toContain('Fridays');
    const sources = await machine.sources();
    expect(sources).toContainEqual(
      expect.objectContaining({ source_type: 'content', occurred_at: expect.stringContaining('2026-05-01') }),
    );
  },
);
