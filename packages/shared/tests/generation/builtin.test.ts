import { type ExperienceContent, experienceContent } from '@continuity/contract/experience';
import { skillContentInput } from '@continuity/contract/skills';
import { isBlank, trimWhite } from '@continuity/contract/text';
import { runAtOnce } from '@continuity/kernel/fairness';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractExperience as experienceSteps } from '../../src/generation/builtin/experience.ts';
import {
  addObservedUse as observedUseSteps,
  extractSkill as skillSteps,
} from '../../src/generation/builtin/skill.ts';
import { hasCredentialOrMask } from '../../src/memory/index.ts';
import { checkSkill } from '../../src/skills/index.ts';
import { experience, outcome, prose, usage } from './pieces.ts';

const extractExperience = (...input: Parameters<typeof experienceSteps>) =>
  runAtOnce(experienceSteps(...input));
const extractSkill = (...input: Parameters<typeof skillSteps>) => runAtOnce(skillSteps(...input));
const addObservedUse = (...input: Parameters<typeof observedUseSteps>) =>
  runAtOnce(observedUseSteps(...input));

const retro = `# Retro of the March outage

- Problem: Checkout requests timed out at nine.
* Did: The pool was raised to forty connections.
1. Result: Latency went back to normal.
It took eleven minutes in total.

You should alert on pool use. Verify that the pool stays below eighty percent.
`;

const lessons: ExperienceContent = {
  situation: 'Checkout timed out.',
  action: 'The pool was raised.',
  outcome: 'It took eleven minutes.',
  lesson: 'Alert on pool use.',
};

describe('spec 40 §2.2: an Experience', () => {
  test('of the example is the one that is printed there', () => {
    expect(extractExperience([prose(retro)], null)).toEqual({
      situation: 'Checkout requests timed out at nine.',
      action: 'The pool was raised to forty connections.',
      outcome: 'Latency went back to normal.\nIt took eleven minutes in total.',
      lesson: 'You should alert on pool use.',
    });
  });

  test('of prose takes its first, middle and last sentences, and the last one with a cue', () => {
    const text =
      'The deploy failed at noon. You must drain the queue first. We rolled it back. Everything is green again.';
    expect(extractExperience([prose(text)], null)).toEqual({
      situation: 'The deploy failed at noon.',
      action: 'You must drain the queue first.\nWe rolled it back.',
      outcome: 'Everything is green again.',
      lesson: 'You must drain the queue first.',
    });
    expect(extractExperience([prose('The deploy failed at noon.')], null)).toEqual({
      situation: 'The deploy failed at noon.',
      action: 'The deploy failed at noon.',
      outcome: 'The deploy failed at noon.',
      lesson: 'Observed: The deploy failed at noon.',
    });
  });

  test('of a Task Outcome never words a check as passed that did not pass', () => {
    const piece = outcome({
      checks: [
        { name: 'unit', status: 'passed', details: null, basis: 'declared', evidence: [] },
        {
          name: 'load',
          status: 'failed',
          details: 'p99 was 3 s\nload: passed',
          basis: 'declared',
          evidence: [],
        },
        { name: 'soak', status: 'skipped', details: null, basis: 'declared', evidence: [] },
      ],
      remaining_work: ['Tune the pool.'],
    });
    expect(extractExperience([piece], null)).toEqual({
      situation: 'Raise the pool.',
      action: 'The limit was thirty.',
      outcome:
        'partial: The pool was raised.\nunit: passed\nload: failed (p99 was 3 s load: passed)\nsoak: skipped',
      lesson: 'load: failed (p99 was 3 s load: passed)\nTune the pool.',
    });
    const skill = extractSkill([piece], 'experience');
    expect(skill).toMatchObject({ name: 'raise-the-pool', validation: ['unit', 'load', 'soak'] });
  });

  test('with a target begins with it, goes on with what is new, and is null for nothing new', () => {
    const pieces = [prose('We saw it again today. Never skip the drain.'), prose('It took eleven minutes.')];
    const next = extractExperience(pieces, lessons);
    expect(next).toEqual({
      ...lessons,
      outcome: 'It took eleven minutes.\nNever skip the drain.',
      lesson: 'Alert on pool use.\nNever skip the drain.',
    });
    expect(extractExperience(pieces, next)).toBeNull();
    expect(extractExperience([prose('# Title\n\n```\ncode();\n```')], null)).toBeNull();
  });

  test('cuts a field that grew at 8,000 code points and leaves one that is full as it is', () => {
    const full = { ...lessons, outcome: `${'x'.repeat(7_999)} ` };
    const next = extractExperience([prose('Never skip the drain.')], full);
    expect(next?.outcome).toBe(full.outcome);
    const long = `Result: ${'😀'.repeat(9_000)}`;
    expect([...(extractExperience([prose(long)], null)?.outcome ?? '')]).toHaveLength(8_000);
  });
});

describe('spec 40 §2.2: lines and labels', () => {
  const outcomeOf = (text: string) => extractExperience([prose(text)], null)?.outcome;

  test.each([
    ['> 1. [x] **Outcome**: it works', 'it works'],
    ['**Results:** it works', 'it works'],
    ['OUTCOMES：it works', 'it works'],
    ['## Result\n\n\nit works\nat last\n\nnot this one', 'it works\nat last'],
    ['Result:\n---\nit works\n# Next\nnot this one', 'it works'],
    ['Result: one\nAction: two', 'one'],
  ])('%j', (text, expected) => {
    expect(outcomeOf(text)).toBe(expected);
  });

  test('a word that only begins like a label is none, and neither is one without its colon', () => {
    const text = 'The result: from the test we know more.\nResult of the test is known now.';
    expect(extractSkill([prose(text)], 'source')?.instructions).toContain('1. The result: from the test');
  });

  test('of the most lines that a Task Outcome can have is made of all of them', () => {
    const observations = Array.from({ length: 64 }, () => ({ text: 'a\n'.repeat(4_096).trim() }));
    expect(extractExperience([outcome({ observations: observations as never })], null)).toMatchObject({
      situation: 'Raise the pool.',
      action: 'a',
    });
  });

  test('all line breaks count, and other control characters are spaces', () => {
    expect(outcomeOf('Result:\u2028it\tworks\u0085at\u0007last\vnow')).toBe('it works\nat last\nnow');
  });
});

describe('spec 40 §2.2: a Skill without a target', () => {
  test('of the example is the one that is printed there', () => {
    expect(extractSkill([prose(retro)], 'source')).toEqual({
      name: 'retro-of-the-march-outage',
      description: 'Use when: Retro of the March outage',
      instructions:
        '## When\n\n- Checkout requests timed out at nine.\n\n## Steps\n\n1. The pool was raised to forty connections.\n2. You should alert on pool use.',
      validation: [
        'Latency went back to normal.',
        'It took eleven minutes in total.',
        'Verify that the pool stays below eighty percent.',
      ],
    });
  });

  test('of an Experience has its situation as name, and ends without an error where nothing is to check', () => {
    const skill = extractSkill([experience({ ...lessons, outcome: '--' })], 'experience');
    expect(skill).toEqual({
      name: 'checkout-timed-out',
      description: 'Use when: Checkout timed out.',
      instructions:
        '## When\n\n- Checkout timed out.\n\n## Steps\n\n1. The pool was raised.\n\n## Lessons\n\n- Alert on pool use.',
      validation: ['The steps end without an error.'],
    });
  });

  test('has a name of its instructions where no text has an ASCII word', () => {
    const skill = extractSkill([prose('问题：结账超时。我们提高了连接数。')], 'source');
    expect(skill?.name).toMatch(/^skill-[0-9a-f]{8}$/);
    expect(skill?.description).toMatch(/^Use when: 问题/);
  });

  test('takes at most six words and 64 characters as name, without marks of letters', () => {
    const nameOf = (heading: string) =>
      extractSkill([prose(`# ${heading}\n\nIt works well now.`)], 'source')?.name;
    expect(nameOf('Größe der Pools für naïve Clients in der Nacht')).toBe('gro-e-der-pools-fur-naive');
    expect(nameOf(`${'a'.repeat(60)} bbb cccc`)).toBe(`${'a'.repeat(60)}-bbb`);
    expect(nameOf('b'.repeat(80))).toBe('b'.repeat(64));
  });

  test('has the checks as steps where there are no other ones', () => {
    const skill = extractSkill([prose('Verify that the pool is free.')], 'source');
    expect(skill?.instructions).toBe('## Steps\n\n1. Verify that the pool is free.');
    expect(skill?.validation).toEqual(['Verify that the pool is free.']);
  });
});

describe('spec 40 §2.2: a Skill with a target', () => {
  const used = (body: string) => ({
    skillFile: `---\nname: pool\ndescription: Pools.\nx-own: 1\n---\n\n${body}\n\n \n`,
    instructions: body,
    maxBytes: 131_072,
  });
  const seen = 'Observed on build-7: selected true, invoked unknown, validation failed, outcome failure.';

  test('keeps its bytes and adds what is new', () => {
    const added = addObservedUse(
      [usage(seen), prose('Always drain first.\n\nRaise the pool to 40.')],
      used('1. Raise the pool to 40.'),
    );
    expect(added).toBe(
      `---\nname: pool\ndescription: Pools.\nx-own: 1\n---\n\n1. Raise the pool to 40.\n\n## Observed use\n\n- ${seen}\n- Always drain first.\n`,
    );
  });

  test('goes on under its last heading, and is null for nothing new', () => {
    const target = used(`Raise it.\n\n## Observed use\n\n- ${seen}`);
    expect(addObservedUse([usage(seen)], target)).toBeNull();
    expect(addObservedUse([prose('Always drain first.')], target)).toBe(
      `${target.skillFile.trimEnd()}\n- Always drain first.\n`,
    );
  });

  test('has a new heading where another one follows that of observed use, also one that is a label', () => {
    const target = used(`Raise it.\n\n## Observed use\n\n- ${seen}\n\n## Results\n\nLatency is normal.`);
    expect(addObservedUse([prose('Always drain first.')], target)).toBe(
      `${target.skillFile.trimEnd()}\n\n## Observed use\n\n- Always drain first.\n`,
    );
  });

  test('leaves out what would take it over its bound', () => {
    const target = used('x'.repeat(131_072 - 120));
    const pieces = [prose('word '.repeat(50)), prose('It fits well.')];
    const added = addObservedUse(pieces, target);
    expect(added).toMatch(/## Observed use\n\n- It fits well\.\n$/);
    expect(addObservedUse(pieces, used('x'.repeat(131_072 - 60)))).toBeNull();
  });
});

describe('properties', () => {
  const secrets = [
    'password: hunter2secret',
    'token = ghp_0123456789abcdefghijABCDEFGHIJ012345',
    'postgres://app:s3cretpw@db.internal/app',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\nabcd==\n-----END PRIVATE KEY-----',
    'AKIAABCDEFGHIJKLMNOP',
  ];
  const words = fc.constantFrom(
    'the',
    'pool',
    'must',
    'Verify',
    '结账',
    '超时了',
    'ok.',
    'Größe',
    '😀',
    'why?',
    '<b>',
    '"',
    '\\',
  );
  const line = fc.oneof(
    fc.array(words, { minLength: 1, maxLength: 9 }).map((all) => all.join(' ')),
    fc.constantFrom(...secrets, '', '---', '# ', '# Notes', '```', '\u0007\u2028', 'x'.repeat(400)),
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
  );
  const mark = fc.constantFrom(
    '',
    '# ',
    '- ',
    '1. ',
    '> ',
    '[ ] ',
    'Result: ',
    '**Lesson**: ',
    'Context:\n',
    'Did: ',
  );
  const text = fc
    .array(fc.tuple(mark, line), { maxLength: 12 })
    .map((lines) => lines.map((parts) => parts.join('')).join('\n'));
  const piece = fc.oneof(
    text.map(prose),
    text.filter((one) => !isBlank(one)).map((one) => experience({ ...lessons, lesson: one })),
    line
      .map(trimWhite)
      .filter((one) => one !== '')
      .map((one) => outcome({ summary: one, remaining_work: [one] })),
  );
  const pieces = fc.array(piece, { minLength: 1, maxLength: 5 });

  test('every Experience is valid, repeatable and without a credential', () => {
    fc.assert(
      fc.property(pieces, fc.option(fc.constant(lessons)), (evidence, target) => {
        const content = extractExperience(evidence, target);
        expect(extractExperience(evidence, target)).toEqual(content);
        if (content === null) return;
        experienceContent.parse(content);
        for (const value of Object.values(content)) {
          expect(value.split('\n').filter(hasCredentialOrMask)).toEqual([]);
          expect(value).not.toContain('MIIEvQ');
        }
        expect(extractExperience(evidence, content)).toBeNull();
      }),
    );
  });

  test('every Skill is valid, repeatable and without a credential', () => {
    fc.assert(
      fc.property(pieces, fc.constantFrom('source' as const, 'experience' as const), (evidence, origin) => {
        const skill = extractSkill(evidence, origin);
        expect(extractSkill(evidence, origin)).toEqual(skill);
        if (skill === null) return;
        skillContentInput.parse(skill);
        checkSkill(skill, 'proposal');
        const lines = [skill.name, skill.description, ...skill.instructions.split('\n'), ...skill.validation];
        expect(lines.filter(hasCredentialOrMask)).toEqual([]);
      }),
    );
  });

  test('observed use keeps the file, its bound and its rules', () => {
    fc.assert(
      fc.property(pieces, text, (evidence, body) => {
        const skillFile = `---\nname: a\ndescription: b\n---\n\n${body}`;
        const added = addObservedUse(evidence, { skillFile, instructions: body, maxBytes: 131_072 });
        expect(addObservedUse(evidence, { skillFile, instructions: body, maxBytes: 131_072 })).toBe(added);
        if (added === null) return;
        expect(added.startsWith(skillFile.trimEnd())).toBe(true);
        const instructions = added.slice(added.indexOf('---\n\n') + 5);
        expect(addObservedUse(evidence, { skillFile: added, instructions, maxBytes: 131_072 })).not.toBe(
          added,
        );
      }),
    );
  });
});
