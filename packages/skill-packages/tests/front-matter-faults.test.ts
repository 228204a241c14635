import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { InvalidPackageError, readSkillFile } from '../src/index.ts';
import { fixSkillFile } from '../src/skill-file/fix-skill-file.ts';

const skill = (description: string, rest = '') =>
  `---\nname: x-skill\ndescription: ${description}\n${rest}---\n\nBody.\n`;

function faultOf(bytes: Buffer | string) {
  try {
    readSkillFile(Buffer.from(bytes));
  } catch (error) {
    if (!(error instanceof InvalidPackageError)) throw error;
    const { message, line, column, field } = error;
    return { message, line, column, field };
  }
  return undefined;
}

const quote = 'Put the value in double quotes.';

describe('spec 70 scenario 36: a fault names line, column, field and mend', () => {
  test.each<[string, string]>([
    ['Use when: the user asks.', 'has a colon and a blank'],
    ['Use when:', 'ends with a colon'],
    ['@mention a person', 'begins with `@`'],
    ['*bold* text', 'begins with `*`'],
    ['&anchor text', 'begins with `&`'],
    ['!important do it', 'begins with `!`'],
    ['%percent', 'begins with `%`'],
    ['`code` first', 'begins with a backtick'],
    ['[Beta] Does x', 'begins with `[`'],
    ['[Beta Does x', 'begins with `[`'],
    ['{{placeholder}} does x', 'begins with `{`'],
    ['{placeholder does x', 'begins with `{`'],
    ['> quote', 'begins with `>`'],
    ['| pipe', 'begins with `|`'],
    ['- a list item', 'begins with `-` and a blank'],
    ['"Quoted" and then more', 'has text after its closing quote'],
    ['"Quoted', 'has a quote that nothing closes'],
  ])('description: %s', (value, problem) => {
    expect(faultOf(skill(value))).toEqual({
      message: `SKILL.md: Line 3, column 14: \`description\` ${problem}. ${quote}`,
      line: 3,
      column: 14,
      field: 'description',
    });
  });

  test.each<[string, string, string | null, string]>([
    ['of another key', 'argument-hint: [file] [n]\n', null, `\`argument-hint\` begins with \`[\`. ${quote}`],
    [
      'a number in metadata',
      'metadata:\n  version: 1.0\n',
      'metadata',
      '`version` is a number. To have it as text, quote `1.0`.',
    ],
    [
      'a truth value',
      'license: true\n',
      'license',
      '`license` is a truth value. To have it as text, quote `true`.',
    ],
    [
      'a list',
      'allowed-tools: [Read]\n',
      'allowed-tools',
      '`allowed-tools` is a list. Write a text on one line, in double quotes.',
    ],
    ['a tab', 'metadata:\n\tauthor: me\n', null, 'a tab indents this line. Indent it with blanks.'],
    [
      'a length',
      `compatibility: ${'a'.repeat(501)}\n`,
      'compatibility',
      '`compatibility` has 501 characters, at most 500. Shorten it.',
    ],
    ['a key twice', 'license: a\nlicense: b\n', null, 'the key `license` is there twice. Take one out.'],
    ['a key `tag` twice', 'tag: [a]\ntag: [b]\n', null, 'the key `tag` is there twice. Take one out.'],
  ])('%s', (_what, rest, field, problem) => {
    const fault = faultOf(skill('Say hello.', rest));
    expect(fault?.message).toBe(`SKILL.md: Line ${fault?.line}, column ${fault?.column}: ${problem}`);
    expect(fault).toMatchObject({ field, line: expect.any(Number), column: expect.any(Number) });
  });

  test('a length is counted in code points', () => {
    expect(faultOf(skill('🚀'.repeat(1_025)))?.message).toContain(
      'has 1,025 characters, at most 1,024. Shorten it.',
    );
    expect(faultOf(skill('🚀'.repeat(1_024)))).toBeUndefined();
  });

  test.each<[string, Buffer | string, string]>([
    ['a byte-order mark', `\uFEFF${skill('Say hello.')}`, 'byte-order mark. Save it as UTF-8 without one.'],
    ['UTF-16', Buffer.from(`\uFEFF${skill('Say hello.')}`, 'utf16le'), 'UTF-16. Save it as UTF-8.'],
    ['another first line', `\n${skill('Say hello.')}`, 'the first line is not `---`.'],
    ['no end', '---\nname: x-skill\ndescription: Say hello.\n\nBody\n', 'no line `---` at its end. Add one.'],
  ])('%s', (_what, bytes, problem) => {
    const fault = faultOf(bytes);
    expect(fault).toMatchObject({ line: 1, column: 1, field: null });
    expect(fault?.message).toContain(problem);
  });

  test('bytes of another encoding have their place', () => {
    expect(faultOf(Buffer.from(skill('Café'), 'latin1'))).toMatchObject({ line: 3, column: 17 });
  });

  test('a message is short whatever the file holds', () => {
    for (const rest of [`${'k'.repeat(900)}: @x\n`, `license: ${'1'.repeat(100_000)}\n`])
      expect(faultOf(skill('Say hello.', rest))?.message.length).toBeLessThan(512);
  });

  test('an earlier value that is valid is not blamed', () => {
    const fault = faultOf(
      '---\nname: x-skill\nlicense: "MIT"\ntags: [a]\ndescription: Use it\n  when: lines continue.\n---\n',
    );
    expect(fault?.message).toContain('the front matter is not YAML');
  });
});

describe('spec 70 scenario 37: --fix', () => {
  /** Mends, and expects that another reader of YAML finds the same text. */
  function fixed(text: string) {
    const { bytes, fixes } = fixSkillFile(Buffer.from(text));
    const fields = readSkillFile(bytes);
    const [, front = ''] = bytes.toString().split(/^---\r?\n/m);
    expect((parse(front) as { description: string }).description).toBe(fields.description);
    return { text: bytes.toString(), fixes, fields };
  }

  test.each([
    'Use when: the user says "go" \\ stop.',
    'Use when:',
    '@mention',
    '*bold* text',
    '&anchor text',
    '!important',
    '%percent',
    '`code` first',
    '[Beta] Does x',
    '{{placeholder}} does x',
    '> quote',
    '| pipe',
    '- item',
    '"Quoted" and more # not a comment',
    '42',
    'true',
  ])('description: %s', (value) => {
    const { fixes, fields } = fixed(skill(value));
    expect(fields.description).toBe(value);
    expect(fixes).toEqual([
      { line: 3, before: `description: ${value}`, after: `description: ${JSON.stringify(value)}` },
    ]);
  });

  test('mends several lines, those of CRLF and of metadata too, and drops the mark', () => {
    const text =
      `\uFEFF${skill('Use when: x', 'license: 1.0 # ours\nmetadata:\n  version: 2.0\n')}`.replaceAll(
        '\n',
        '\r\n',
      );
    const { text: mended, fixes, fields } = fixed(text);
    expect(fields).toMatchObject({
      description: 'Use when: x',
      license: '1.0',
      metadata: { version: '2.0' },
    });
    expect(fixes.map(({ line }) => line)).toEqual([1, 3, 4, 6]);
    expect(mended).toContain('license: "1.0" # ours\r\n');
    expect(mended.endsWith('\r\n\r\nBody.\r\n')).toBe(true);
  });

  test.each([
    ['a valid file', skill('Say hello.')],
    ['another key', skill('Say hello.', 'argument-hint: [file] [n]\n')],
    ['a text of several lines', '---\nname: x-skill\ndescription: Use it\n  when: lines continue.\n---\n'],
    ['a list of several lines', skill('Say hello.', 'allowed-tools:\n  - Read\n')],
    ['no front matter', '# Title\n'],
  ])('%s stays', (_what, text) => {
    expect(fixSkillFile(Buffer.from(text))).toEqual({ bytes: Buffer.from(text), fixes: [] });
  });

  test('other bytes than UTF-8 stay', () => {
    const bytes = Buffer.from(skill('Use when: Café'), 'latin1');
    expect(fixSkillFile(bytes).bytes.equals(bytes)).toBe(true);
  });
});
