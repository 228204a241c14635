import { describe, expect, test } from 'vitest';
import { extractionOf, statementsIn, textsIn } from './statements.ts';

describe('spec 25 Q14: lists say the kind of their items', () => {
  test.each([
    ['Decisions:\n- Use Postgres 16\n- Deploy on Tuesdays', 'decision'],
    ['## Decisions\n\n* Use Postgres 16\n* Deploy on Tuesdays', 'decision'],
    ['Decided\n-------\n1. Use Postgres 16\n2. Deploy on Tuesdays', 'decision'],
    ['**Rules:**\n- Use Postgres 16\n- Deploy on Tuesdays', 'constraint'],
    ['### 2. Offene Punkte\n- Use Postgres 16\n- Deploy on Tuesdays', 'working_note'],
    ['待办：\n- Use Postgres 16\n- Deploy on Tuesdays', 'working_note'],
    ['# 決定事項\n\n- Use Postgres 16\n- Deploy on Tuesdays', 'decision'],
    ['Next steps:\n\n- [ ] Use Postgres 16\n- [ ] Deploy on Tuesdays', 'working_note'],
    ['Preferences:\nUse Postgres 16\nDeploy on Tuesdays', 'preference'],
  ])('%j', async (source, kind) => {
    expect(await statementsIn(source)).toEqual([
      [kind, 'Use Postgres 16'],
      [kind, 'Deploy on Tuesdays'],
    ]);
  });

  test('the list ends with another heading, and a lead-in with the paragraph behind its list', async () => {
    expect(
      await statementsIn(
        'Decisions:\n- Use pnpm\n\nThe build takes ten minutes.\n\n- The cache lives on disk',
      ),
    ).toEqual([
      ['decision', 'Use pnpm'],
      ['fact', 'The build takes ten minutes.'],
      ['fact', 'The cache lives on disk'],
    ]);
    expect(await statementsIn('# Decisions\n- Use pnpm\n\n# Notes\n- The cache lives on disk')).toEqual([
      ['decision', 'Use pnpm'],
      ['fact', 'The cache lives on disk'],
    ]);
  });

  test('a question in a list of open work is open work, a ticked item is done, a credential is neither', async () => {
    const source = 'Open:\n- Which region?\n- [x] Update the docs\n- Rotate password=hunter22';
    const { proposals, leftOut } = await extractionOf([source]);
    expect(proposals.map(({ kind, text }) => [kind, text])).toEqual([
      ['working_note', 'Which region?'],
      ['fact', 'Update the docs'],
    ]);
    expect(leftOut).toEqual([{ position: 1, reason: 'credential', count: 1 }]);
  });
});

describe('spec 25 Q14: chats are read message by message', () => {
  const said = [
    ['Ann', 'Never use npm in this repo.'],
    ['assistant', 'I decided to keep Postgres 16.'],
  ] as const;
  const expected = said.map(([, text]) => text);
  const plain = said.map(([role, content]) => ({ role, content }));

  test.each([
    ['a list', plain],
    ['an object with messages', { model: 'x', messages: plain }],
    ['speaker and text', said.map(([speaker, text]) => ({ speaker, text }))],
    [
      'author and parts',
      said.map(([role, text]) => ({ author: { role }, content: { content_type: 'text', parts: [text] } })),
    ],
    ['a list in a text', JSON.stringify(plain, null, 2)],
    ['JSON Lines', plain.map((message) => JSON.stringify(message)).join('\n')],
    [
      'JSON Lines of a host',
      [
        { type: 'file-history-snapshot', snapshot: 'We must never keep this line.' },
        { type: 'user', message: { role: 'user', content: said[0][1] } },
        {
          type: 'assistant',
          message: {
            content: [
              { type: 'tool_use', input: 'never' },
              { type: 'text', text: said[1][1] },
            ],
          },
        },
        {
          type: 'user',
          message: { content: [{ type: 'tool_result', content: 'You must never keep this.' }] },
        },
      ]
        .map((message) => JSON.stringify(message))
        .join('\r\n'),
    ],
    ['with instructions of a host', [{ role: 'system', content: 'You must never swear.' }, ...plain]],
  ])('%s', async (_, content) => {
    expect(await textsIn(content)).toEqual(expected);
  });

  test('conversation: with its speaker', async () => {
    expect(await textsIn(plain, 'conversation')).toEqual(said.map(([name, text]) => `${name}: ${text}`));
  });

  test('an unclosed code block or heading of one message changes nothing in the next', async () => {
    const chat = [
      { role: 'user', content: '# Decisions\n```\ncode' },
      { role: 'assistant', content: '- The cache lives on disk' },
    ];
    expect(await statementsIn(chat)).toEqual([['fact', 'The cache lives on disk']]);
  });

  test('other JSON and prose around JSON Lines stay as they are', async () => {
    expect(await textsIn({ role: 'Never log tokens.' })).toEqual(['Never log tokens.']);
    expect(await textsIn('{"role":"user","content":"Never use npm."}\nWe decided to use pnpm.')).toEqual([
      'Never use npm.',
      'We decided to use pnpm.',
    ]);
  });
});

test('spec 25 Q15: abbreviations end no sentence', async () => {
  expect(
    await textsIn('The freeze of the release begins on Jan. 5. Deploys are blocked until Sept. 3, 2027.'),
  ).toEqual(['The freeze of the release begins on Jan. 5.', 'Deploys are blocked until Sept. 3, 2027.']);
  expect(await textsIn('Das Release kommt am 5. Januar. Der Server kostet ca. 2 Mio. Euro im Jahr.')).toEqual(
    ['Das Release kommt am 5. Januar.', 'Der Server kostet ca. 2 Mio. Euro im Jahr.'],
  );
});

describe('spec 25 Q13: what is left out is counted', () => {
  test('of each Source, and nothing where nothing is', async () => {
    const plainFacts = ['red', 'blue', 'green', 'grey', 'white', 'black'].map(
      (name) => `- The ${name} one is much nicer`,
    );
    const { leftOut } = await extractionOf([
      'We decided to use pnpm.',
      plainFacts.join('\n'),
      'The password is hunter22. Never log tokens. Das Passwort lautet geheim123.',
      { password: 'hunter2', list: ['secret: abc1234'] },
    ]);
    expect(leftOut).toEqual([
      { position: 2, reason: 'limit', count: 1 },
      { position: 3, reason: 'credential', count: 2 },
      { position: 4, reason: 'credential', count: 2 },
    ]);
  });
});

describe('what a text of a project is about stays in its statements', () => {
  test('cells of a table are without the blanks that align them', async () => {
    const table =
      '| Command        | Does            |\n| -------------- | --------------- |\n| `npm run lint` | checks 12 rules |';
    expect(await textsIn(table)).toEqual(['Command | Does', '`npm run lint` | checks 12 rules'].slice(1));
  });

  test('a label of an item that is also a word of the text is no speaker', async () => {
    const text =
      '- Review: propose Skills from evidence of a project.\n- A reviewer starts each review at 9.\n- Anna: prepare the demo for 12 people.';
    expect(await textsIn(text)).toEqual([
      'Review: propose Skills from evidence of a project.',
      'A reviewer starts each review at 9.',
      'prepare the demo for 12 people.',
    ]);
  });

  test.each([
    [
      'To add a dependency:\n\n1. Write its version in `pnpm-workspace.yaml`.\n2. Commit `pnpm-lock.yaml`.',
      'To add a dependency:',
    ],
    ['How to restore a backup:\n- Stop worker-1.\n- Run `restore.sh` on db-3.', 'How to restore a backup:'],
    [
      'Um ein Release zu bauen:\n1. Starte `npm run build`.\n2. Lade dist/app.zip hoch.',
      'Um ein Release zu bauen:',
    ],
  ])('steps keep what they are for: %j', async (text, lead) => {
    const steps = text.split('\n').filter((line) => /^(?:\d\.|-) /.test(line));
    expect(await textsIn(text)).toEqual(steps.map((line) => `${lead} ${line.replace(/^(?:\d\.|-) /, '')}`));
  });

  test('other lines with a colon are no part of the items below them', async () => {
    const text =
      'To add a dependency:\n- Edit `pnpm-workspace.yaml` first.\n\nWe talked about two ports:\n- The API uses port 8080.';
    expect(await textsIn(text)).toEqual([
      'To add a dependency: Edit `pnpm-workspace.yaml` first.',
      'The API uses port 8080.',
    ]);
  });

  test('a step of two lines does not end what the steps are for', async () => {
    const text =
      'To add a package:\n1. Write its version in\n   `pnpm-workspace.yaml`.\n2. Commit `pnpm-lock.yaml`.';
    expect(await textsIn(text)).toEqual([
      'To add a package: Write its version in `pnpm-workspace.yaml`.',
      'To add a package: Commit `pnpm-lock.yaml`.',
    ]);
  });

  test('merges of a version control system are no statements', async () => {
    expect(await textsIn("Merge branch 'feature-12' of https://git.example.com/shop")).toEqual([]);
  });

  test.each([
    'Each row says in one sentence what to do if port 8080 is taken.',
    'The gateway stops without waiting for 12 idle connections.',
    'A page of the inbox read all pending Candidates, 46 ms at 20,000.',
  ])('no open work: %s', async (text) => {
    expect((await statementsIn(text)).map(([kind]) => kind)).not.toContain('working_note');
  });
});

test('spec 25 Q14: JSON that is nested deeper than the call stack', async () => {
  const depth = 100_000;
  const json = `${'['.repeat(depth)}"Never log tokens."${']'.repeat(depth)}`;
  const { findStatements } = await import('../../../src/memory/extraction/builtin/statements.ts');
  expect(findStatements({ json, record: null }, 'coding').statements).toEqual([
    { kind: 'constraint', text: 'Never log tokens.' },
  ]);
});
