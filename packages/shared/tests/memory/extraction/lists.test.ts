import { describe, expect, test } from 'vitest';
import { unitsOf } from '../../../src/memory/extraction/builtin/units.ts';
import { statementsIn, textsIn } from './statements.ts';

const spoken = (text: string) => unitsOf({ text, speaker: null }).map((unit) => [unit.speaker, unit.text]);

describe('spec 25 Q14: names of lists with what they are from or about', () => {
  test.each([
    'Sprint decisions',
    '2026 decisions',
    'Quarterly decisions',
    'Weekly decisions',
    'Decisions made',
    'Decisions taken today',
    'Decisions of the week',
    'Decisions from the sprint review',
    'Architecture decisions (2026)',
    'Sprint 12 – Decisions',
    'Decisions – Sprint 12',
    'Beschlüsse der Woche',
    'Team-Entscheidungen',
    'Entscheidungen vom 12.03.',
    'Décisions de la semaine',
    'Décisions d’architecture',
    'Decisiones de la semana',
    '本周决定',
    '今週の決定事項',
    '技術的な決定',
  ])('%s are decisions', async (name) => {
    const expected = [
      ['decision', 'Envoy 1.34'],
      ['decision', 'Region Lyon'],
    ];
    expect(await statementsIn(`## ${name}\n- Envoy 1.34\n- Region Lyon`)).toEqual(expected);
    expect(await statementsIn(`${name}\n\n- Envoy 1.34\n- Region Lyon`)).toEqual(expected);
  });

  test.each([
    'Decisions for later',
    'Decisions on hold',
    'Decisions for discussion',
    'Decisions to make',
    'Decisions we rejected',
    'Decisions from the last sprint that we reverted',
    'Decisions – rejected',
    'Entscheidungen zur Abstimmung',
  ])('%s are none', async (name) => {
    const kinds = (await statementsIn(`## ${name}\n- Envoy runs on port 8080`)).map(([kind]) => kind);
    expect(kinds).not.toContain('decision');
  });

  test('a decision that a row or a status denies is none', async () => {
    expect(
      (
        await statementsIn(
          '| Decision | Status |\n|---|---|\n| Use MongoDB | not accepted |\n| Use Kafka 4 | no |\n| Use Postgres | accepted |',
        )
      ).filter(([kind]) => kind === 'decision'),
    ).toEqual([['decision', 'Use Postgres | accepted']]);
    const adr = (status: string) =>
      `# Decision\n\nStatus: ${status}\n\nMongoDB stores the events of the API.`;
    expect(await statementsIn(adr('rejected'))).not.toContainEqual(['decision', expect.anything()]);
    expect(await statementsIn(adr('accepted'))).toContainEqual([
      'decision',
      'MongoDB stores the events of the API.',
    ]);
  });

  test.each(['Action items for next week', 'Open questions for legal', 'Next steps for Anna'])(
    '%s are open work',
    async (name) => {
      expect(await statementsIn(`## ${name}\n- Envoy 1.34`)).toEqual([['working_note', 'Envoy 1.34']]);
    },
  );

  test('the first sentence below the heading of one decision is the decision', async () => {
    const adr =
      '# ADR 12\n\n## Decision\n\nWe use Kafka 4 for events. It runs on 3 nodes.\n\nThe team has 4 people.';
    expect(await statementsIn(adr)).toEqual([
      ['decision', 'We use Kafka 4 for events.'],
      ['fact', 'It runs on 3 nodes.'],
      ['fact', 'The team has 4 people.'],
    ]);
  });
});

describe('spec 25 Q14: a list that says what is not so keeps its name', () => {
  test.each([
    ['### Removed', 'fact', 'Removed'],
    ['Out of scope:', 'fact', 'Out of scope'],
    ['**Non-goals**', 'fact', 'Non-goals'],
    ['## Rejected decisions', 'fact', 'Rejected decisions'],
    ['## Decisions (rejected)', 'fact', 'Decisions (rejected)'],
    ["## Don'ts", 'constraint', "Don'ts"],
    ['Verworfene Optionen:', 'fact', 'Verworfene Optionen'],
    ['Hors périmètre :', 'fact', 'Hors périmètre'],
    ['【禁止事项】', 'constraint', '禁止事项'],
    ['対象外：', 'fact', '対象外'],
  ])('%s', async (name, kind, lead) => {
    expect(await statementsIn(`${name}\n- Support for Node 20\n- The flag --fast`)).toEqual([
      [kind, `${lead}: Support for Node 20`],
      [kind, `${lead}: The flag --fast`],
    ]);
  });

  test('but not before an item that denies by itself, nor behind the list', async () => {
    expect(
      await textsIn(
        'Out of scope:\n- No support for Node 20\n\nThe API uses port 8080.\n\n- The cache lives on disk',
      ),
    ).toEqual(['No support for Node 20', 'The API uses port 8080.', 'The cache lives on disk']);
    expect(await textsIn('### Removed\n- Support for Node 20\n### Added\n- Support for Node 24')).toEqual([
      'Removed: Support for Node 20',
      'Support for Node 24',
    ]);
  });

  test('open work keeps who does it', async () => {
    expect(await statementsIn('Open work:\nAnna: docs\nBob: tests')).toEqual([
      ['working_note', 'Anna: docs'],
      ['working_note', 'Bob: tests'],
    ]);
    expect(await textsIn('Next steps:\n- Anna: prepare the demo\n- Bob: fix the login')).toEqual([
      'Anna: prepare the demo',
      'Bob: fix the login',
    ]);
  });
});

describe('spec 25 Q14: labels with values are no speech', () => {
  test.each(['- ', '', '* ', '1. '])('fields behind %j', async (mark) => {
    const fields = [
      'Database: PostgreSQL 16',
      'Hosting: Hetzner',
      'Contact: Anna Schmidt',
      'Retention: 90 days',
      'Port: 8080',
    ];
    expect(await textsIn(fields.map((field) => `${mark}${field}`).join('\n'))).toEqual(fields);
  });

  test('in Chinese and German', async () => {
    for (const fields of [
      ['端口：8080', '数据库：PostgreSQL 16', '负责人：张伟'],
      ['Hosting: Hetzner', 'Aufbewahrung: 90 Tage', 'Ansprechpartnerin: Anna Schmidt'],
    ])
      expect(await textsIn(fields.map((field) => `- ${field}`).join('\n'))).toEqual(fields);
  });

  test('a row of a table can be two short cells', async () => {
    expect(await textsIn('| Name | Version |\n|---|---|\n| Postgres | 16 |\n| Envoy | 1.34 |')).toEqual([
      'Postgres | 16',
      'Envoy | 1.34',
    ]);
  });

  test('names with sentences, and names that repeat, are speakers', () => {
    expect(spoken('Ann: We ship.\nBob: On Monday.\nCem: I agree.').map(([name]) => name)).toEqual([
      'Ann',
      'Bob',
      'Cem',
    ]);
    expect(spoken('Ann: ship it\nBob: on Monday\nAnn: port 8080').map(([name]) => name)).toEqual([
      'Ann',
      'Bob',
      'Ann',
    ]);
  });
});

describe('spec 25 Q14: what happens at a time keeps its time', () => {
  test.each([
    ['Freeze – 18:00', '14:30 – Demo', '15:00 Retro', 'Lunch — 12:00'],
    ['09:00 Standup: everyone reports', '10:00 Kickoff: Anna presents the plan'],
    ['Mittag – 12:00', 'Abfahrt – 13:00'],
    ['冻结 – 18:00', '14:30 演示'],
  ])('%j', async (...lines) => {
    expect(await textsIn(lines.join('\n'))).toEqual(lines);
    expect(await textsIn(`Schedule:\n${lines.map((line) => `- ${line}`).join('\n')}`)).toEqual(lines);
  });

  test('with a line below each', async () => {
    expect(
      await textsIn(
        'Lunch — 12:00\nWe meet in building 5.\nTravel – 13:00\nThe train leaves from platform 4.',
      ),
    ).toEqual(['Lunch — 12:00 We meet in building 5.', 'Travel – 13:00 The train leaves from platform 4.']);
  });
});

describe('spec 25 Q14: a comparison is no quote', () => {
  test.each([
    '> 500 ms latency triggers an alert',
    '>= 5 % errors page the team',
    '> 3 nodes are needed for quorum.',
    '> $500 needs an approval by finance',
    '> 99.9% uptime is the target',
  ])('%s', async (line) => {
    expect(await textsIn(line)).toEqual([line]);
    expect(await textsIn(`- ${line}`)).toEqual([line]);
    expect(await textsIn(`> ${line}\n>\n> We agreed on both rules.`)).toContain(line);
  });

  test('on a wrapped line', async () => {
    expect(
      await textsIn('We refuse requests when latency is\n> 500 ms for more than 5 minutes on the gateway.'),
    ).toEqual(['We refuse requests when latency is > 500 ms for more than 5 minutes on the gateway.']);
  });

  test('a quote that begins with a number is one beside other quoted lines or below its author', async () => {
    expect(await textsIn('> 3 nodes are needed for quorum.\n> We decided to use 5 nodes.')).toEqual([
      '3 nodes are needed for quorum.',
      'We decided to use 5 nodes.',
    ]);
    expect(await textsIn('On Monday Tom wrote:\n> 3 nodes are needed for quorum.')).toEqual([
      '3 nodes are needed for quorum.',
    ]);
    expect(await textsIn('> 1. We use pnpm for all\n> 2. We keep Node 24')).toEqual([
      'We use pnpm for all',
      'We keep Node 24',
    ]);
    expect(await textsIn('> 2026-03-01 we ship version 3')).toEqual(['2026-03-01 we ship version 3']);
  });
});

describe('spec 25 Q14: a sentence above a list', () => {
  test.each([
    ['Agents must never:', 'constraint'],
    ['Everyone must:', 'constraint'],
    ['We agreed on the following:', 'decision'],
    ['The team decided:', 'decision'],
    ['Wir haben Folgendes beschlossen:', 'decision'],
    ['Nous avons décidé :', 'decision'],
    ['我们决定：', 'decision'],
  ])('%s begins its items', async (lead, kind) => {
    expect(await statementsIn(`${lead}\n- push to main\n- delete branches of others`)).toEqual([
      [kind, `${lead} push to main`],
      [kind, `${lead} delete branches of others`],
    ]);
  });

  test('a short line between two lists is no part of an item', async () => {
    expect(
      await statementsIn('Rules\n- Use pnpm in all packages\nExceptions\n- Scripts may use npm at release'),
    ).toEqual([
      ['constraint', 'Use pnpm in all packages'],
      ['fact', 'Scripts may use npm at release'],
    ]);
  });

  test('a label that names a kind begins a statement', async () => {
    expect(
      await statementsIn(
        'TOP 1: Roadmap of the product\nBeschluss: v2 erscheint im Mai.\nAufgabe: Bob schreibt die Doku.',
      ),
    ).toEqual([
      ['fact', 'TOP 1: Roadmap of the product'],
      ['decision', 'Beschluss: v2 erscheint im Mai.'],
      ['working_note', 'Aufgabe: Bob schreibt die Doku.'],
    ]);
  });

  test.each([
    ['Restricción: los datos no salen de la UE.', 'constraint'],
    ['Vincoli: i dati restano in Europa.', 'constraint'],
    ['Règle : deux relectures par changement.', 'constraint'],
    ['Decisión: usamos Postgres.', 'decision'],
    ['Decyzja: używamy Postgresa.', 'decision'],
    ['Karar: Postgres kullanıyoruz.', 'decision'],
    ['Tarefa: atualizar o painel.', 'working_note'],
    ['Voorkeur: kleine pull requests.', 'preference'],
  ])('%s is no speaker', async (text, kind) => {
    expect(await statementsIn(text)).toEqual([[kind, text]]);
  });

  test('a label that names another kind ends the list above it', async () => {
    expect(
      await statementsIn(
        'Decisions:\n* Production deploys need two approvals.\nConstraint: data stays in Frankfurt.\nTODO: write the runbook.\nAlice prefers tabs.',
      ),
    ).toEqual([
      ['decision', 'Production deploys need two approvals.'],
      ['constraint', 'Constraint: data stays in Frankfurt.'],
      ['working_note', 'TODO: write the runbook.'],
      ['preference', 'Alice prefers tabs.'],
    ]);
  });

  test('a list of JSON whose key names its kind', async () => {
    expect(
      await statementsIn({
        title: 'Review',
        decisions: ['Kafka 4', 'Deploy on Tuesdays'],
        actionItems: ['write docs'],
      }),
    ).toEqual([
      ['working_note', 'write docs'],
      ['decision', 'Kafka 4'],
      ['decision', 'Deploy on Tuesdays'],
    ]);
  });
});
