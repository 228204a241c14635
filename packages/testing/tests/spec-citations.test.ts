import { expect, test } from 'vitest';
import { lintSpec } from '../../../scripts/spec/lint.ts';

const memory = `# Memory

## 1. Rules

- **M1** A rule.
- **M2** Another one (M1).
- **M3** Changed.

### 1.1 Order

1. First.
2. Second, as §1.1.1.

\`\`\`
3. An example, and no rule.
- **M4** Neither is this.
\`\`\`

## 2. Acceptance scenarios

1. It is remembered (scenario 2).
2. It is found.
3. It is forgotten.
`;
const named = `test('spec 20 scenarios 1 to 3: an entry', () => {});`;

/** The problems of one file beside a spec of which every scenario has a test. */
function problemsOf(text: string, path = 'packages/shared/src/file.ts'): string[] {
  const files = {
    'docs/spec/20-memory.md': memory,
    'services/api/tests/memory.test.ts': named,
    [path]: text,
  };
  return lintSpec(new Map(Object.entries(files)));
}

test.each([
  ['a rule', `// Why (spec 20 M1).`],
  ['a list and a range', `// Why (spec 20 M1, M2 and §1.1; spec 20 M1 to M3).`],
  ['a section', `// Why (spec 20 §1.1).`],
  ['a numbered rule', `// Why (spec 20 §1.1.2).`],
  ['a scenario and a rule', `test('spec 20 scenario 2, M1: works', run);`],
  ['a citation over two lines of a comment', `/**\n * Why (spec 20 M1,\n * §1.1.2).\n */`],
  ['a citation over two lines of SQL', `-- Why (spec 20\n-- M1).`],
  ['the section of another document', `// RFC 9110 §8.8.3, §5.6.1.`],
  ['an id in code that is no citation', `const bucket = 'We use M1.';\nfield(M1);`],
])('accepts %s', (_what, text) => {
  expect(problemsOf(text)).toEqual([]);
});

test.each([
  ['a rule', `// (spec 20 M1, M9)`, `spec 20 M9`],
  ['a member of a range', `// (spec 20 M1 to M5)`, `spec 20 M4`],
  ['a rule in a fenced block', `// (spec 20 M4)`, `spec 20 M4`],
  ['a section', `// (spec 20 §7)`, `spec 20 §7`],
  ['a numbered rule', `// (spec 20 §1.1.3)`, `spec 20 §1.1.3`],
  ['a scenario', `test('spec 20 scenario 4: works', run);`, `spec 20 scenario 4`],
  ['a scenario of several', `test('spec 20 scenarios 3 and 5: work', run);`, `spec 20 scenario 5`],
  ['a file', `// (spec 77 M1)`, `spec 77 M1`],
  ['a rule on the next line', `/**\n * (spec 20\n * M9).\n */`, `spec 20 M9`],
])('fails for %s that does not exist', (_what, text, name) => {
  const line = text.includes('*\n') ? 2 : 1;
  expect(problemsOf(text)).toContain(`packages/shared/src/file.ts:${line}: unknown: ${name}`);
});

test('fails for an unknown rule in a released migration, whose spelling it accepts', () => {
  const path = 'prisma/migrations/20260101000000_first/migration.sql';
  expect(problemsOf(`-- Equal entries (M1).`, path)).toEqual([]);
  expect(problemsOf(`-- Equal entries (spec 20 M9).`, path)).toEqual([`${path}:1: unknown: spec 20 M9`]);
});

test.each([
  ['a section in words', `// (spec 20 section 1)`],
  ['a rule in words', `// (spec 20 §1.1 rule 2)`],
  ['a file without a rule', `// See spec 20.`],
  ['a hyphen', `// (spec-20 M1)`],
  ['a section without its file', `// (§1.1)`],
  ['a file without the word', `// (20 §1.1)`],
  ['a scenario without its file', `test('scenario 2: works', run);`],
  ['a rule without its file in a comment', '/** Equal entries (M1). */'],
  ['a rule without its file behind a statement', 'run(); // As M1 says.'],
  ['a rule without its file at the beginning of a name', `test('M1 works', run);`],
])('fails for %s', (_what, text) => {
  expect(problemsOf(text)).toContainEqual(expect.stringContaining('packages/shared/src/file.ts:1: "'));
});

test('fails for a scenario that no test names', () => {
  const files = (test: string, path = 'services/api/tests/memory.test.ts') =>
    lintSpec(
      new Map([
        ['docs/spec/20-memory.md', memory],
        [path, test],
      ]),
    );
  const missing = [`docs/spec: no test begins its name with spec 20 scenario 3`];
  expect(files(`test('spec 20 scenarios 1 and 2: work', run);`)).toEqual(missing);
  expect(files(`test('spec 20 scenarios 1 and 2: work', run); // spec 20 scenario 3`)).toEqual(missing);
  expect(files(named, 'services/api/tests/support.ts')).toHaveLength(3);
  expect(files(named)).toEqual([]);
});

test('fails for a file of the spec that cites what it does not have, or that has an id twice', () => {
  const path = 'docs/spec/30-work.md';
  const work = (text: string) => problemsOf(`## 1. Rules\n\n1. First.\n2. ${text}\n`, path);
  expect(work(`As §1.1, and as spec 20 M1.`)).toEqual([]);
  expect(work(`As §1.3.`)).toEqual([`${path}:4: unknown: spec 30 §1.3`]);
  expect(work('As scenario 1.')).toEqual([`${path}:4: unknown: spec 30 scenario 1`]);
  expect(work('As M1.')).toEqual([`${path}:4: "M1": write the file too: spec 20 M1`]);
  expect(work(`As 20 §7.1.`)).toEqual([expect.stringContaining(`${path}:4: "20 §7.1": write the file`)]);
  expect(work('As section 1.')).toContainEqual(expect.stringContaining(`${path}:4: "section 1"`));
  expect(work('Second.\n\n### 1.2 A section with the id of the rule')).toEqual([
    `docs/spec: spec 30 §1.2 is ambiguous`,
  ]);
});

test('a page names only tests that exist', () => {
  const page = 'See `services/api/tests/memory.test.ts` and `services/api/tests/gone.test.ts`.';
  expect(problemsOf(page, 'docs/security.md')).toEqual([
    'docs/security.md: no such test: services/api/tests/gone.test.ts',
  ]);
});
