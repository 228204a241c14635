import { describe, expect, test } from 'vitest';
import { unitsOf } from '../../../src/memory/extraction/builtin/units.ts';
import { statementsIn, textsIn } from './statements.ts';

const spoken = (text: string) => unitsOf({ text, speaker: null }).map((unit) => [unit.speaker, unit.text]);

describe('spec 25 Q14: minutes say the kinds of their items', () => {
  test.each([
    ['## Getroffene Entscheidungen', 'decision'],
    ['## II. Architecture decisions', 'decision'],
    ['Décisions prises :', 'decision'],
    ['Decisões tomadas:', 'decision'],
    ['## 三、会议决议', 'decision'],
    ['【決定事項】', 'decision'],
    ['■ 결정 사항', 'decision'],
    ['Принятые решения:', 'decision'],
    ['القرارات:', 'decision'],
    ['निर्णय:', 'decision'],
    ['Ustalenia', 'decision'],
    ['**Beschlüsse**', 'decision'],
    ['## Open decisions', 'working_note'],
    ['Nächste Schritte (bis Freitag)', 'working_note'],
    ['## （四）待办事项', 'working_note'],
    ['Открытые вопросы:', 'working_note'],
    ['Actiepunten:', 'working_note'],
    ['Tareas pendientes', 'working_note'],
    ['المهام:', 'working_note'],
    ['Vincoli:', 'constraint'],
    ['Kısıtlamalar:', 'constraint'],
  ])('%s', async (name, kind) => {
    const items = ['Envoy 1.34', 'Region Lyon'];
    expect(await statementsIn(`${name}\n- ${items[0]}\n- ${items[1]}`)).toEqual(
      items.map((item) => [kind, item]),
    );
    expect(await statementsIn(`${name}\n\n・${items[0]}\n・${items[1]}`)).toEqual(
      items.map((item) => [kind, item]),
    );
  });

  test('a name directly below a list is no part of its last item, and ends the list', async () => {
    expect(
      await statementsIn(
        'Beschlüsse:\n- Logs für 30 Tage\n- Release am Mittwoch\nHaushalt der Abteilung:\n- 40.000 Euro für den Umbau',
      ),
    ).toEqual([
      ['decision', 'Logs für 30 Tage'],
      ['decision', 'Release am Mittwoch'],
      ['fact', '40.000 Euro für den Umbau'],
    ]);
  });

  test.each([
    'Deferred decisions',
    'Superseded decisions',
    'Rejected decisions',
    'Future decisions',
    'Not yet decisions',
    'Missing decisions',
    'Decisions (rejected)',
    'Entscheidungen (abgelehnt)',
    'Decisions (open)',
    'Verworfene Entscheidungen',
    'Vertagte Entscheidungen',
    'Zu treffende Entscheidungen',
    'Decisioni da prendere',
    '否决的决定',
    '尚未决定',
    '候选决定',
    '取消决议',
    'Отклонённые решения',
  ])('%s are no decisions', async (name) => {
    const kinds = (await statementsIn(`## ${name}\n- Envoy runs on port 8080`)).map(([kind]) => kind);
    expect(kinds).not.toContain('decision');
  });

  test('an indented line with a colon is part of its item', async () => {
    expect(
      await statementsIn(
        'Decisions:\n- Deploys need two people. They are\n  allowed on these days:\n  Monday, Tuesday\n- Use pnpm for all',
      ),
    ).toEqual([
      ['decision', 'Deploys need two people. They are allowed on these days: Monday, Tuesday'],
      ['decision', 'Use pnpm for all'],
    ]);
  });

  test('the rows of a table below a heading are of its kind', async () => {
    const table = '| What | Who |\n|---|---|\n| Keep v1 until May | Priya |\n| Drop IE11 | Tom |';
    expect(await statementsIn(`## Decisions\n\n${table}\n\nThe office has 4 rooms.`)).toEqual([
      ['decision', 'Keep v1 until May | Priya'],
      ['decision', 'Drop IE11 | Tom'],
      ['fact', 'The office has 4 rooms.'],
    ]);
  });

  test('a label may have a remark', async () => {
    expect(await statementsIn('ACTION (Yuki): rotate the certificate.\n\nThe server has 4 disks.')).toEqual([
      ['working_note', 'ACTION (Yuki): rotate the certificate.'],
      ['fact', 'The server has 4 disks.'],
    ]);
  });

  test('an answer and the message that it quotes are separate statements', async () => {
    const mail =
      'We keep Fastly until June.\nAm 3. März 2026 um 10:12 schrieb Tom <tom@example.com>:\n> Der Vertrag endet am 30. Juni.\n>> Logs bleiben 30 Tage.';
    expect(await textsIn(mail)).toEqual([
      'We keep Fastly until June.',
      'Der Vertrag endet am 30. Juni.',
      'Logs bleiben 30 Tage.',
    ]);
  });
});

describe('spec 25 Q14: chats that were copied or exported as text name their speakers', () => {
  test.each([
    ['[12.03.26, 09:14:02] Lena Voss: We ship.', 'Lena Voss'],
    ['\u200E[12/03/2026, 9:14:02\u202FPM] Lena Voss: \u200EWe ship.', 'Lena Voss'],
    ['12/03/2026, 09:14 - Ahmed: We ship.', 'Ahmed'],
    ['2026/03/12 09:14 田中: We ship.', '田中'],
  ])('%j', (text, speaker) => {
    expect(spoken(text).at(-1)).toEqual([speaker, 'We ship.']);
  });

  test.each([
    ['Dana Li  9:41 AM', 'Dana Li'],
    ['Kiko — Yesterday at 9:41 PM', 'Kiko'],
    ['Lena, [12.03.2026 09:14]', 'Lena'],
    ['张三 2026-03-12 09:14:02', '张三'],
    ['[Yesterday 14:02] Nowak, Anna', 'Nowak, Anna'],
  ])('%j above each of several texts', (line, speaker) => {
    expect(spoken(`Bo  9:40 AM\nWe wait.\n\n${line}\nWe ship.`)).toEqual([
      ['Bo', 'We wait.'],
      [speaker, 'We ship.'],
    ]);
    expect(spoken(`${line}\nWe ship.`).map(([name]) => name)).not.toContain(speaker);
  });

  test('a name without a capital letter is none', () => {
    expect(spoken('kiko — Yesterday at 9:41 PM\nWe ship.').map(([name]) => name)).not.toContain('kiko');
  });

  test('a line with a time that no text follows stays text', () => {
    const lines = [
      'Maintenance — 22:00',
      'Deploy Window  22:00',
      'Freeze – 18:00',
      'Cron (02:30)',
      'Release 2026-03-12 09:14',
      'Standup — Monday at 9:30',
      '[Friday 18:00] Freeze',
      '发布窗口 2026-03-12 22:00',
    ];
    expect(spoken(lines.join('\n\n'))).toEqual(lines.map((line) => [null, line]));
    expect(spoken(lines.join('\n'))).toEqual(lines.map((line) => [null, line]));
    expect(spoken(lines.map((line) => `- ${line}`).join('\n'))).toEqual(lines.map((line) => [null, line]));
  });

  test('a time in a list is no speaker, and the kind of the list stays', async () => {
    expect(
      await statementsIn(
        'Decisions:\n- Freeze starts — 18:00\n- Use pnpm for all\n- Production Freeze — 18:00\n- Use Node for all',
      ),
    ).toEqual([
      ['decision', 'Freeze starts — 18:00'],
      ['decision', 'Use pnpm for all'],
      ['decision', 'Production Freeze — 18:00'],
      ['decision', 'Use Node for all'],
    ]);
  });

  test('a time alone on a wrapped line is part of its sentence', () => {
    expect(
      spoken('The nightly backup starts every day at\n02:30\nand takes an hour.\n\n- Standup at\n  10:30'),
    ).toEqual([
      [null, 'The nightly backup starts every day at 02:30 and takes an hour.'],
      [null, 'Standup at 10:30'],
    ]);
    expect(spoken('Lena:\n09:14\nWe ship.')).toEqual([['Lena', 'We ship.']]);
  });

  test('prose with times names none', () => {
    const lines = ['Deploy Window 22:00', 'At 10:30 we deploy.', '2024-05-01: We decided to use pnpm.'];
    expect(lines.flatMap(spoken)).toEqual(lines.map((line) => [null, line]));
  });

  test('who joined a channel is no statement', async () => {
    expect(
      await textsIn([
        { type: 'message', user: 'U1', text: 'The balancer must stay up for 48 hours.' },
        { type: 'message', subtype: 'channel_join', user: 'U2', text: '<@U2> has joined channel #ops-2026' },
      ]),
    ).toEqual(['The balancer must stay up for 48 hours.']);
  });
});

describe('spec 25 Q14: what divides a list, and what only looks like it', () => {
  test.each([
    [
      'Nächste Schritte:\nAnna:\n- Migration schreiben\n- Server testen\nBob:\n- Zertifikat erneuern',
      'working_note',
      3,
    ],
    ['Constraints:\n- No cloud services\nSecurity:\n- No secrets in logs\n- TLS 1.3 only', 'constraint', 3],
    ['決定事項：\n田中：\n- サーバーは東京で動かす\n佐藤：\n- DBはPostgresにする', 'decision', 2],
    ['待办事项：\n张三：\n- 完成数据库迁移', 'working_note', 1],
    [
      'Decisions:\nBackend:\n- We use Postgres for the store\nFrontend:\n- We use React for the console',
      'decision',
      2,
    ],
    ['Next steps:\n- Anna migrates tables\nBob:\n- tests the server', 'working_note', 2],
  ])('%j keeps its kind below each label', async (source, kind, count) => {
    expect((await statementsIn(source)).map(([found]) => found)).toEqual(
      Array.from({ length: count }, () => kind),
    );
  });

  test('a wrapped line in lower case with a colon is part of its item', () => {
    const source =
      '- The gateway must never log the following headers of\nrequests:\nAuthorization and Cookie.';
    expect(spoken(source)).toEqual([[null, source.slice(2).replaceAll('\n', ' ')]]);
  });

  test('a numbered list goes on below a note', () => {
    const source =
      '1. Install the package\nNote:\nthe registry needs a token of the team\n2. Run the tests before the merge\n3. Deploy the server';
    expect(spoken(source).map(([, text]) => text)).toEqual([
      'Install the package',
      'Note: the registry needs a token of the team',
      'Run the tests before the merge',
      'Deploy the server',
    ]);
  });

  test.each([
    'Agreed.\n\n- The server in Berlin is slow',
    'Anna: Agreed\nBob:\n\n- The installer writes the config file',
    'Next\n\n## Installation\n\n- The installer writes the config file',
    'Never\n\n---\n\n- The installer writes the config file',
  ])('%j has no title of a list', async (source) => {
    expect((await statementsIn(source)).at(-1)?.[0]).toBe('fact');
  });

  test('what is planned at a time is no speaker', () => {
    expect(
      spoken('Freeze – 18:00\nThe release branch is locked.\nDeploy – 20:00\nThe team deploys version 3.')
        .map(([, text]) => text)
        .join(' '),
    ).toBe('Freeze – 18:00 The release branch is locked. Deploy – 20:00 The team deploys version 3.');
    const line = '10:00 - Deploy: The server is restarted with version 3.';
    expect(spoken(line)).toEqual([[null, line]]);
  });

  test('a sentence goes on behind a mark of a quote', () => {
    expect(
      spoken('> We use Postgres for the main\n> database of the project\nand Redis for the cache.'),
    ).toEqual([[null, 'We use Postgres for the main database of the project and Redis for the cache.']]);
    expect(
      spoken('We refuse requests when latency is\n> 500 ms for more than 5 minutes on the gateway.'),
    ).toHaveLength(1);
  });
});
