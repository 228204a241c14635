import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../support/tenants.ts';
import { fixture, hosts, writeZip } from './home.ts';
import { type StoredSource, setUpImports, textsOf } from './machine.ts';

const on = setUpImports('import-formats', 6);

/** Id, text, time and changed parts of the metadata of the Sources of one format. */
const turnsOf = (sources: StoredSource[], format: string) =>
  sources
    .filter(({ source_id }) => source_id.startsWith(`${format}/`))
    .map(({ scope_id, source_id, content, occurred_at }) => [
      scope_id,
      source_id.slice(format.length + 1),
      JSON.parse(content),
      occurred_at,
    ]);

describe('spec 70 scenario 5: formats', () => {
  let sources: StoredSource[];

  beforeAll(async () => {
    const machine = await on.newMachine();
    const summary = await machine.import(...hosts);
    expect(summary).toMatchObject({ added: 24, already: 0, refused: 0, sessions: 7 });
    expect(summary.left_out).toEqual({
      synthetic: 6,
      tool_output: 5,
      attachment: 5,
      subagent: 3,
      summary: 3,
      bad_line: 1,
    });
    sources = await machine.sources();
    // A second line says how to search what is there.
    const { stderr } = await machine.run(...hosts, '--again');
    expect(stderr).not.toContain('undefined');
  });

  test('claude-code', () => {
    const session = '5b0f2a5e-3f0b-4c36-9a25-6d1f6c0b7a11/11111111-bbbb-4bbb-8bbb-00000000000';
    expect(turnsOf(sources, 'claude-code')).toEqual(
      [
        [
          'project:shop',
          `${session}2/prompt`,
          'Use this token: [redacted] and fix 9f2c1d7ab34ce09912345678deadbeef01234567. password = [redacted]',
          '2026-10-05T09:30:00.000+02:00',
        ],
        [
          'project:shop',
          `${session}2/answer`,
          'Fixed in the cart service. I did not use the token.',
          '2026-10-05T07:30:05.000Z',
        ],
        ['project:shop', `${session}3/prompt`, '/deploy to staging on Tuesday', '2026-10-05T07:32:00.000Z'],
        [
          'project:shop',
          `${session}3/answer`,
          'Deployments to staging happen on Tuesdays.',
          '2026-10-05T07:32:05.000Z',
        ],
      ].toSpliced(
        0,
        0,
        [
          'project:shop',
          `${session}1/prompt`,
          'Which database do the carts live in? We decided to move them to Postgres 18 in October.\n',
          '2026-10-05T08:00:05.000Z',
        ],
        [
          'project:shop',
          `${session}1/answer`,
          'The carts live in Postgres 16. The compose file still has to change.',
          '2026-10-05T08:00:12.000Z',
        ],
      ),
    );
    const [first, , third] = sources.filter(({ source_id }) => source_id.startsWith('claude-code/'));
    expect(JSON.parse(first?.metadata ?? '')).toEqual({
      kind: 'agent-prompt',
      host: 'claude-code',
      session_id: '5b0f2a5e-3f0b-4c36-9a25-6d1f6c0b7a11',
      turn_id: '11111111-bbbb-4bbb-8bbb-000000000001',
      directory: '/home/ada/shop',
    });
    expect(JSON.parse(third?.metadata ?? '')).toMatchObject({ redacted: 2 });
  });

  test('codex', () => {
    const session = '019a0c5d-0c6e-7f3a-8d22-5b0a9f3c1e77/019a0c5d-1111-7000-8000-00000000000';
    expect(turnsOf(sources, 'codex')).toEqual([
      ['project:api', `${session}1/prompt`, 'Why do expired carts answer 500?', '2026-10-06T10:00:01.400Z'],
      [
        'project:api',
        `${session}1/answer`,
        'The handler throws. Expired carts must answer 410.',
        '2026-10-06T10:00:08.000Z',
      ],
      ['project:api', `${session}2/prompt`, 'Fix it. Never retry a payment.', '2026-10-06T10:05:00.200Z'],
      [
        'project:api',
        `${session}2/answer`,
        'Fixed: expired carts answer 410 now.',
        '2026-10-06T10:05:09.000Z',
      ],
    ]);
  });

  test('gemini', () => {
    const session = '77aa1c7e-0000-4000-8000-00000000000';
    expect(turnsOf(sources, 'gemini')).toEqual([
      ['project:api', `${session}1/m1/prompt`, 'Where is the retry limit set?', '2026-10-07T12:00:01.000Z'],
      [
        'project:api',
        `${session}1/m1/answer`,
        'The retry limit is in limits.ts.',
        '2026-10-07T12:00:05.000Z',
      ],
      [
        'project:api',
        `${session}1/m6/prompt`,
        'The retry limit must stay below 5.',
        '2026-10-07T12:02:00.000Z',
      ],
      [
        'project:api',
        `${session}1/m6/answer`,
        'It is 3, and a test keeps it there.',
        '2026-10-07T12:02:03.000Z',
      ],
      ['project:ledger', `${session}2/l1/prompt`, 'Name the service.', '2026-03-01T09:00:01.000Z'],
      ['project:ledger', `${session}2/l1/answer`, 'It is called ledger.', '2026-03-01T09:00:04.000Z'],
    ]);
  });

  test('opencode and copilot', () => {
    expect(turnsOf(sources, 'opencode').map(([, id, text]) => [id, text])).toEqual([
      ['ses_1/msg_1/prompt', 'In which currency are prices stored?'],
      ['ses_1/msg_1/answer', 'Prices are stored in minor units of euro.'],
      ['ses_1/msg_3/prompt', 'Keep them as integers.'],
      ['ses_1/msg_3/answer', 'They stay integers.'],
    ]);
    expect(turnsOf(sources, 'copilot').map(([, , text]) => text)).toEqual([
      'Who owns the checkout page?',
      'The payments team owns the checkout page.',
      'Prefer feature flags over branches.',
      'Understood.',
    ]);
  });

  test('within a Scope by time', () => {
    const times = sources
      .filter(({ scope_id }) => scope_id === 'project:shop')
      .map(({ occurred_at }) => Date.parse(occurred_at ?? ''));
    // The prompts and answers of a session keep its order.
    const sessions = [
      ...new Set(
        sources
          .filter(({ scope_id }) => scope_id === 'project:shop')
          .map(({ source_id }) => source_id.split('/')[0]),
      ),
    ];
    expect(sessions).toEqual(['claude-code', 'copilot', 'opencode']);
    expect(times.length).toBe(14);
  });

  test('chatgpt and claude-ai, as ZIP and as a file', async () => {
    const machine = await on.newMachine();
    const zip = join(machine.home, 'export.zip');
    await writeZip(zip, {
      'user.json': '{}',
      'conversations.json': await readFile(fixture('chatgpt-2026-06.json')),
    });
    expect(await machine.import(zip, fixture('claude-ai-2026-06.json'))).toMatchObject({
      added: 6,
      left_out: { attachment: 2, tool_output: 2 },
    });
    const stored = await machine.sources();
    const conversation = '6849c1aa-0000-8000-8000-00000000000';
    // The older conversation first, though the export has it last.
    expect(turnsOf(stored, 'chatgpt')).toEqual([
      [
        'chats:chatgpt',
        `${conversation}1/33333333-0000-4000-8000-000000000001/prompt`,
        'I am allergic to walnuts. Plan three days in Lisbon.',
        '2026-02-05T14:00:01.000Z',
      ],
      [
        'chats:chatgpt',
        `${conversation}1/33333333-0000-4000-8000-000000000001/answer`,
        'Day one: Alfama. No walnuts.',
        '2026-02-05T14:00:03.000Z',
      ],
      [
        'chats:chatgpt',
        `${conversation}2/22222222-0000-4000-8000-000000000002/prompt`,
        'How long does sourdough rise?',
        '2026-06-01T07:46:41.250Z',
      ],
      [
        'chats:chatgpt',
        `${conversation}2/22222222-0000-4000-8000-000000000002/answer`,
        'Eight hours at 22 degrees.',
        '2026-06-01T07:46:49.000Z',
      ],
    ]);
    expect(turnsOf(stored, 'claude-ai').map(([scope, , text, time]) => [scope, text, time])).toEqual([
      ['chats:claude-ai', 'When do I plant tomatoes?', '2026-05-02T06:00:00.123Z'],
      ['chats:claude-ai', 'After the last frost, in mid-May.', '2026-05-02T06:00:09.000Z'],
    ]);
    expect(await machine.import(zip, fixture('claude-ai-2026-06.json'))).toMatchObject({
      added: 0,
      unchanged_files: 2,
    });
  });

  test('mem0, letta and powercontext: facts become entries with the record as evidence', async () => {
    const machine = await on.newMachine();
    const client = clientOf(on.service.url, machine.tenant);
    const bundle = join(machine.home, 'one.pcb');
    await writeZip(bundle, {
      'manifest.json': '{"format_version":1}',
      'records.ndjson': await readFile(fixture('powercontext-1.ndjson')),
    });
    const summary = await machine.import(fixture('mem0-2.2.1.json'), fixture('letta-0.11.af'), bundle);
    expect(summary).toMatchObject({ added: 9, entries: 6, refused: 0 });
    const entriesOf = async (scope_id: string) =>
      (await client.call('list_memory_entries', { body: { scope_id } })).body.entries.map(
        ({ kind, text, source_refs }) => [
          kind,
          text,
          source_refs.map(({ name, source_id }) => `${name} ${source_id}`),
        ],
      );
    expect(await entriesOf('mem0:ada')).toEqual([
      [
        'fact',
        'Works at a shop that sells bicycles',
        ['import-mem0 mem0/2bd4b574-c911-405f-9e5d-16734f8b97a1'],
      ],
      ['fact', 'Prefers vegetarian restaurants', ['import-mem0 mem0/a5b58a86-3486-4489-8743-0fcb86b56fff']],
      ['fact', 'The wifi password is [redacted]', ['import-mem0 mem0/b9b99b5f-dc3e-4841-ac57-827506df598d']],
    ]);
    expect(await entriesOf('letta:librarian')).toEqual([
      ['fact', 'Ada lends books to friends.', ['import-letta letta/librarian/human/1']],
      ['fact', 'Tom has the atlas since January.', ['import-letta letta/librarian/human/2']],
    ]);
    const own = (await entriesOf('project:one')).filter(([, , refs]) =>
      String(refs).includes('import-powercontext'),
    );
    expect(own).toEqual([['decision', 'Ship on Fridays.', ['import-powercontext powercontext/memory/e1']]]);
    const stored = await machine.sources();
    expect(textsOf(stored.filter(({ source_type }) => source_type === 'content'))).toEqual([
      'Which book did I lend to Tom?',
      'You lent Tom the atlas.',
      'We ship the ledger on Fridays.',
    ]);
    expect(stored.map(({ content }) => content).join()).not.toContain('hunter2');
  });

  test('markdown and ndjson', async () => {
    const machine = await on.newMachine();
    for (const [path, added] of [
      ['AGENTS.md', 2],
      ['basic-memory-0.24.1', 4],
    ] as const)
      expect(await machine.import(fixture(path), '--scope', 'kitchen')).toMatchObject({ added, refused: 0 });
    const stored = await machine.sources();
    expect(stored.map(({ source_id, content }) => [source_id, JSON.parse(content)])).toEqual([
      ['markdown/AGENTS.md', 'Always run the linter.'],
      ['markdown/AGENTS.md#Rules', '# Rules\n\nUse British spelling.'],
      ['markdown/notes/Coffee.md', '# Coffee\n\nNotes from the kitchen.'],
      [
        'markdown/notes/Coffee.md#Observations',
        expect.stringMatching(/^# Coffee\n\n## Observations[\s\S]*# not a heading/),
      ],
      [
        'markdown/notes/Coffee.md#Relations',
        expect.stringMatching(/^# Coffee\n\n## Relations[\s\S]*### Details/),
      ],
      ['markdown/notes/Coffee.md#Grinder', '# Coffee\n\n## Grinder\n\nThe grinder is set to 14 clicks.'],
    ]);
    const lines = await machine.run('--json', fixture('ndjson-1.ndjson'));
    expect(lines.code).toBe(5);
    expect(JSON.parse(lines.stdout)).toMatchObject({
      added: 2,
      entries: 1,
      refused: 1,
      left_out: { bad_line: 1 },
    });
    const pottery = (await machine.sources()).filter(({ scope_id }) => scope_id === 'pottery');
    expect(pottery.map(({ source_id, occurred_at }) => [source_id, occurred_at])).toEqual([
      ['ndjson/a', '2026-01-02T03:04:05.000+01:00'],
      ['ndjson/7', null],
    ]);
    expect(JSON.parse(pottery[0]?.metadata ?? '')).toEqual({ room: 3, role: 'potter' });
  });
});
