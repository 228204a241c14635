import { describe, expect, test } from 'vitest';
import { unitsOf } from '../../../src/memory/extraction/builtin/units.ts';
import { statementsIn, textsIn } from './statements.ts';

const spoken = (text: string) => unitsOf({ text, speaker: null }).map((unit) => [unit.speaker, unit.text]);
const [first, second] = ['We use Kafka for events.', 'The deploy waits for the backup.'];

describe('spec 25 Q14: transcripts of chat programs, meetings and mails', () => {
  test.each([
    ['IRC', `[09:14] <lena> ${first}\n[09:15] <@tom> ${second}`, 'lena', 'tom'],
    ['IRC without brackets', `09:14 <lena> ${first}\n09:15 <tom_> ${second}`, 'lena', 'tom_'],
    [
      'Slack',
      `lena.voss  9:14 AM\n${first}\ntom  9:15 AM\n${second}\nlena.voss  9:16 AM\nok`,
      'lena.voss',
      'tom',
    ],
    [
      'Teams',
      `[9:14 AM] Voss, Lena\n${first}\n\n[9:15 AM] Tom Berg\n${second}\n\n[9:16 AM] Voss, Lena\nok`,
      'Voss, Lena',
      'Tom Berg',
    ],
    [
      'Teams copied',
      `Voss, Lena 9:14 AM\n${first}\nBerg, Tom 9:15 AM\n${second}\nVoss, Lena 9:16 AM\nok`,
      'Voss, Lena',
      'Berg, Tom',
    ],
    [
      'names above times',
      `Lena Voss\n  9:14 AM\n${first}\nTom\n  9:15 AM\n${second}\nLena Voss\n  9:16 AM\nok`,
      'Lena Voss',
      'Tom',
    ],
    ['WebVTT', `<v Lena>${first}</v>\n\n<v Tom>${second}</v>`, 'Lena', 'Tom'],
  ])('%s', (_, text, lena, tom) => {
    expect(spoken(text).slice(0, 2)).toEqual([
      [lena, first],
      [tom, second],
    ]);
  });

  test('notices of a channel are no statements', async () => {
    const irc = `[09:14] <lena> ${first}\n[09:15] *** bo has joined #ops-2026\n[09:16] <tom> ${second}\n09:17 -!- bo has quit [Ping timeout]`;
    expect(await textsIn(irc)).toEqual([first, second]);
    const stamp = '12/03/2026, 09:14 -';
    const whatsApp = [
      `${stamp} Messages and calls are end-to-end encrypted. Tap to learn more.`,
      `${stamp} Lena: ${first}`,
      `${stamp} Lena added Bo`,
      `${stamp} Lena: <Media omitted>`,
      `${stamp} Bo: This message was deleted`,
      `${stamp} Bo: ${second}`,
    ];
    expect(await textsIn(whatsApp.join('\n'))).toEqual([first, second]);
  });

  test('the headers of a mail say who wrote it', () => {
    const mail = `From: "Voss, Lena" <lena@example.com>\nTo: Tom <tom@example.com>\nDate: Thu, 12 Mar 2026 09:14:02 +0100\nSubject: Deploy in week 12\n\n${first}\n\n-----Original Message-----\nVon: Tom Berg\nGesendet: Montag, 9. März 2026 10:02\nAn: Lena\nBetreff: Deploy\n\n${second}`;
    expect(spoken(mail).filter(([, text]) => !text?.startsWith('---'))).toEqual([
      ['Lena Voss', first],
      ['Tom Berg', second],
    ]);
  });

  test('fields of notes are no headers of a mail', async () => {
    const notes = 'Date: 12 March 2026\nSubject: Deploy in week 12';
    expect(await textsIn(notes)).toEqual(notes.split('\n'));
  });

  test.each([
    `9:00 AM Welcome\n${first}\n10:00 AM Demo\n${second}`,
    `[9:00 AM] Welcome\n${first}\n[10:00 AM] Demo\n${second}`,
    `Welcome\n9:00 AM\n${first}\nDemo\n10:00 AM\n${second}`,
    `deploy  9:00 AM\n${first}\nrelease  10:00 AM\n${second}`,
  ])('a schedule keeps its times: %j', (text) => {
    const said = spoken(text);
    expect(said.map(([name]) => name)).toEqual(said.map(() => null));
    expect(said.map(([, each]) => each).join(' ')).toContain('9:00 AM');
    expect(said.map(([, each]) => each).join(' ')).toContain('10:00 AM');
  });

  test('lines of a chat without capitals are separate', async () => {
    expect(
      await statementsIn('lena: we decided to use pnpm\ntom: the deploy must wait for the backup'),
    ).toEqual([
      ['decision', 'lena: we decided to use pnpm'],
      ['constraint', 'tom: the deploy must wait for the backup'],
    ]);
  });
});

describe('spec 25 Q14: names of lists and tables', () => {
  test('a name between two lists begins the next one', async () => {
    expect(await statementsIn('会議\n決定事項\n・Kafka 4を採用\n宿題\n・田中：資料を書く')).toEqual([
      ['decision', 'Kafka 4を採用'],
      ['working_note', '田中：資料を書く'],
    ]);
    expect(
      await statementsIn('Acuerdos de la reunión\n1. Usamos Kafka 4.\nTareas\n- Ana: escribir la guía'),
    ).toEqual([
      ['decision', 'Usamos Kafka 4.'],
      ['working_note', 'Ana: escribir la guía'],
    ]);
  });

  test('a word of a decision is no remark that it is open', async () => {
    const table =
      '| ID | Decision | Status |\n|---|---|---|\n| 1 | OpenAI is the model of the support bot | accepted |\n| 2 | Cancel button is red | accepted |';
    expect((await statementsIn(table)).map(([kind]) => kind)).toEqual(['decision', 'decision']);
    const rejected = table.replaceAll('accepted', '**Rejected** (cost)');
    expect((await statementsIn(rejected)).map(([kind]) => kind)).not.toContain('decision');
  });

  test('a ticked box keeps the sentence above its list, and the next speaker does not', async () => {
    expect(await textsIn('Agents must never:\n- [ ] push to main')).toEqual([
      'Agents must never: push to main',
    ]);
    const chat =
      'Dana Li  9:41 AM\nAgents must never:\n- push to main\nTom Berg  9:42 AM\n- I fixed the login of the shop';
    expect((await textsIn(chat)).join('\n')).not.toContain('never: I fixed');
    const divided = 'Agents must never:\n- push to main\n\n---\n\n- The login of the shop works since Friday';
    expect((await textsIn(divided)).join('\n')).not.toContain('never: The login');
  });

  test('the head of a table names the kind of its rows', async () => {
    const table = (head: string, ...rows: string[]) =>
      `| ${head} |\n|---|---|---|\n${rows.map((row) => `| ${row} |`).join('\n')}`;
    expect(
      await statementsIn(table('ID | Decision | Status', '1 | Kafka 4 | accepted', '2 | MySQL 8 | rejected')),
    ).toEqual([
      ['decision', '1 | Kafka 4 | accepted'],
      ['fact', '2 | MySQL 8 | rejected'],
    ]);
    expect(
      await statementsIn(
        table('Task | Owner | Status', 'Write docs | Priya | open', 'Rotate keys | Tom | done'),
      ),
    ).toEqual([
      ['working_note', 'Write docs | Priya | open'],
      ['fact', 'Rotate keys | Tom | done'],
    ]);
    expect(await statementsIn(table('Action | Key | Menu', 'Open the palette | Ctrl+K | View'))).toEqual([
      ['fact', 'Open the palette | Ctrl+K | View'],
    ]);
  });

  test('a number of a decision is no speaker', async () => {
    expect(await textsIn('D1: Use Kafka 4\nD2: Use Redis 7')).toEqual(['D1: Use Kafka 4', 'D2: Use Redis 7']);
  });
});

describe('spec 25 Q14: exports of chat programs as JSON', () => {
  test('the name of a speaker is in its normal form', async () => {
    expect(await textsIn(`R\u0323en\u00E9: ${first}`, 'conversation')).toEqual([`\u1E5Aen\u00E9: ${first}`]);
  });

  test.each([
    ['Slack', [{ type: 'message', user: 'U1', user_profile: { real_name: 'Lena' }, text: first }]],
    ['Slack without profiles', [{ type: 'message', user: 'Lena', text: first }]],
    [
      'Teams',
      [
        {
          messageType: 'message',
          from: { user: { displayName: 'Lena' } },
          body: { contentType: 'text', content: first },
        },
      ],
    ],
    [
      'Discord',
      {
        messages: [
          { id: '1', type: 'Default', content: first, author: { id: '1', name: 'x7', nickname: 'Lena' } },
        ],
      },
    ],
    [
      'Telegram',
      {
        messages: [
          {
            type: 'message',
            from: 'Lena',
            text: ['We use ', { type: 'bold', text: 'Kafka' }, ' for events.'],
          },
        ],
      },
    ],
  ])('%s', async (_, content) => {
    expect(await textsIn(content, 'conversation')).toEqual([`Lena: ${first}`]);
  });
});

test('a text keeps its tags and what is below them', async () => {
  for (const text of ['The parser drops <b> and </b> in 3 files.', '<b> 5 MB is the limit of a page'])
    expect(await textsIn(text)).toEqual([text]);
  const readme =
    '<h1 align="center">App</h1>\n\n## Decisions\n\n- Use Kafka 4 for the events\n- The region is Lyon';
  expect(await statementsIn(readme)).toEqual([
    ['decision', 'Use Kafka 4 for the events'],
    ['decision', 'The region is Lyon'],
  ]);
});

describe('spec 25 Q14: what only looks like a transcript stays', () => {
  test.each([
    [
      'placeholders',
      '<tenant> must be lower case.\n<region> must be eu-west-3.\n* Kafka 4 is the event bus.',
    ],
    ['tags', '<br>\nWe use Kafka 4 for events.\n<br>\n→ The API runs on port 8080.'],
    [
      'a schedule with tabs',
      '09:00\tRetro of week 12\tRoom 5\n10:00\tOffsite\tRoom 2\n11:00\tOffsite\tRoom 3',
    ],
  ])('%s', async (_, text) => {
    const kept = (await textsIn(text)).join('\n');
    for (const line of text.split('\n'))
      expect(kept).toContain(
        line
          .replace(/^\* |^<br>$/, '')
          .split('\t')
          .at(-1),
      );
  });

  test('messages of an export whose name is a number or has no capital', async () => {
    const stamp = '12/03/2026, 09:14 -';
    const said = [
      `${stamp} Lena: ${first}`,
      `${stamp} +49 170 1234567: We decided to use Kafka 4.`,
      `${stamp} lena: The API runs on port 8080.`,
      `${stamp} Bo: the header must be: <tenant-id>`,
      `${stamp} Bo: the default of retries is: null`,
    ];
    const kept = (await textsIn(said.join('\n'))).join('\n');
    for (const part of ['We decided to use Kafka 4.', 'port 8080', '<tenant-id>', 'retries is: null'])
      expect(kept).toContain(part);
  });

  test('an action, a note of an export and a plan keep what they say', async () => {
    const irc = `[09:14] <lena> ${first}\n[09:15] <_tom> ${second}\n[09:16] * lena decided to use Kafka 4 for events`;
    expect((await textsIn(irc)).join('\n')).toContain('decided to use Kafka 4');
    expect(spoken(irc)[1]).toEqual(['tom', second]);
    const stamp = '12/03/2026, 09:14 -';
    const exported = `${stamp} Lena: ${first}\n${stamp} Bo: ${second}\n${stamp} Rolled back to Kafka 3.9\n${stamp} Bo: <media-type> must be set in 2 places`;
    const kept = (await textsIn(exported)).join('\n');
    for (const part of ['Rolled back to Kafka 3.9', '<media-type>']) expect(kept).toContain(part);
    const plan = 'Zurich\n14:30\nGate B of terminal 2\nParis\n16:10\nGate C of terminal 1';
    expect(spoken(plan).every(([name]) => name === null)).toBe(true);
  });

  test('another speaker ends what the items above needed before them', async () => {
    const chat =
      'User: Agents must never:\n- push to main\n- delete the Postgres database\nAssistant: Understood, I will do this instead.\n- run the tests of the API\n- open a pull request on GitHub';
    const kept = await textsIn(chat);
    expect(kept.join('\n')).toContain('Agents must never: push to main');
    expect(kept).toContain('run the tests of the API');
  });

  test('lines that begin alike are no headers of a mail', async () => {
    expect(
      await textsIn(
        'An: Postgres 16 is the database of the API.\nAn: The staging server runs on Hetzner.\nAn: Logs must be kept for 30 days.\nAn: We decided to use pnpm.',
      ),
    ).toHaveLength(4);
  });

  test('lines of a work log without a name are no notices', async () => {
    const [one, two] = [
      'Created the staging database with 4 GB of RAM.',
      'Removed MySQL from the production server.',
    ];
    const more = [
      'Tom removed Redis from 2 servers',
      'Tom added the index',
      'Only 3 nodes of 5 left',
      'Anna removed Kafka',
    ];
    const at = (time: string) => `[2026-03-12 ${time}]`;
    const log = `${at('09:14')} Anna: The API runs on Hetzner.\n${at('09:20')} Tom: Postgres 16 is installed.\n${at('09:30')} ${one}\n${at('09:40')} ${two}\n${at('09:50')} Deploy of the API left 3 pods in CrashLoop${more.map((line) => `\n${at('10:00')} ${line}`).join('')}`;
    const kept = (await textsIn(log)).join('\n');
    for (const line of [one, two, 'left 3 pods', ...more]) expect(kept).toContain(line);
  });

  test('a long line of the words of notices takes no time', async () => {
    const stamp = '12/03/2026, 09:14 -';
    const text = `${stamp} Lena: ${first}\n${stamp} Tom: ${second}\n${stamp} ${'added '.repeat(100_000)}: x`;
    expect(spoken(text)[0]).toEqual(['Lena', first]);
  });

  test('a list of fields with From and To is no mail', async () => {
    expect(await textsIn('From: Jenkins 2.4\nTo: GitHub Actions\nDate: 1 May 2026')).toHaveLength(3);
  });

  test.each([
    ['LINE', `09:14\t田中\t${first}\n09:15\tTom\t${second}\n09:16\t田中\t${first}`],
    ['WeChat', `田中(09:14): ${first}\nTom(09:15): ${second}\n田中(09:16): ${first}`],
  ])('a conversation of %s names its speakers', (_, text) => {
    expect(spoken(text)[0]).toEqual(['田中', first]);
  });
});

describe('spec 25 Q14: lists in JSON', () => {
  test('each item is read by itself', async () => {
    expect(
      await statementsIn({ decisions: ['Anna: we use Kafka 4', 'Deploys run on Fridays only'] }),
    ).toEqual([
      ['decision', expect.stringContaining('Kafka 4')],
      ['decision', 'Deploys run on Fridays only'],
    ]);
    expect(await textsIn(Array.from({ length: 300_000 }, () => 0))).toEqual([]);
  });

  test('data below a name is no list of statements, and a fence ends with its item', async () => {
    expect(await statementsIn({ requirements: ['flask', 'numpy'], actions: ['opened', 'closed'] })).toEqual(
      [],
    );
    expect(
      await textsIn({ tasks: ['```sh block is broken in README', 'Rotate the keys by Friday 12'] }),
    ).toContain('Rotate the keys by Friday 12');
  });
});
