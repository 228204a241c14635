import { describe, expect, test } from 'vitest';
import { unitsOf } from '../../../src/memory/extraction/builtin/units.ts';
import { statementsIn, textsIn } from './statements.ts';

const spoken = (text: string) => unitsOf({ text, speaker: null }).map((unit) => [unit.speaker, unit.text]);
const [first, second] = ['We use Kafka for events.', 'The deploy waits for the backup.'];

describe('spec 25 Q14: transcripts of chat programs, meetings and mails', () => {
  test.each([
    ['IRC', `[09:14] <lena> ${first}\n[09:15] <@tom> ${second}`, 'lena', 'tom'],
    ['IRC without times', `<lena> ${first}\n<tom_> ${second}`, 'lena', 'tom_'],
    ['Slack', `lena.voss  9:14 AM\n${first}\ntom  9:15 AM\n${second}`, 'lena.voss', 'tom'],
    ['Teams', `[9:14 AM] Voss, Lena\n${first}\n\n[9:15 AM] Tom Berg\n${second}`, 'Voss, Lena', 'Tom Berg'],
    ['Teams copied', `Voss, Lena 9:14 AM\n${first}\nBerg, Tom 9:15 AM\n${second}`, 'Voss, Lena', 'Berg, Tom'],
    ['names above times', `Lena Voss\n  9:14 AM\n${first}\nTom\n  9:15 AM\n${second}`, 'Lena Voss', 'Tom'],
    ['LINE', `09:14\t田中\t${first}\n09:15\tTom\t${second}`, '田中', 'Tom'],
    ['WeChat', `张三(09:14): ${first}\n李四(09:15): ${second}`, '张三', '李四'],
    ['WebVTT', `<v Lena>${first}</v>\n\n<v Tom>${second}</v>`, 'Lena', 'Tom'],
  ])('%s', (_, text, lena, tom) => {
    expect(spoken(text)).toEqual([
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

describe('spec 25 Q14: HTML is read by its elements', () => {
  test('paragraphs, headings, lists and rows', async () => {
    const html =
      '<div><h2>Decisions</h2><ul><li>Use <b>Kafka 4</b></li><li>Errors &gt; 5 % page the team</li></ul><p>The API uses<br>port 8080 &amp; TLS.</p><style>p { margin: 1 }</style><table><tr><td>Envoy</td><td>1.34</td></tr></table></div>';
    expect(await statementsIn(html)).toEqual([
      ['decision', 'Use Kafka 4'],
      ['decision', 'Errors > 5 % page the team'],
      ['fact', 'The API uses port 8080 & TLS.'],
      ['decision', 'Envoy | 1.34'],
    ]);
  });

  test('a comparison and a tag in other texts stay', async () => {
    for (const text of ['The parser drops <b> and </b> in 3 files.', '<b> 5 MB is the limit of a page'])
      expect(await textsIn(text)).toEqual([text]);
  });
});
