import { expect, test } from 'vitest';
import {
  admitFiles,
  InvalidPackageError,
  readSkillFile,
  readSkillSummary,
  renamePackage,
} from '../src/index.ts';

const at = (path: string, text: string) => ({ path, executable: false, bytes: Buffer.from(text) });

/** The `SKILL.md` of the package under another name. */
function renamed(front: string): string {
  const files = [at('SKILL.md', `---\n${front}---\nname: stays\n`), at('a.md', 'A')];
  const made = renamePackage(files, 'other-name');
  expect(made.fields.name).toBe('other-name');
  expect(made.files[1]?.bytes.toString()).toBe('A');
  return made.files[0]?.bytes.toString().slice(4, -'---\nname: stays\n'.length) ?? '';
}

test.each([
  ['plain', 'name: hello\ndescription: x\n', 'name: other-name\ndescription: x\n'],
  ['with a comment', "name: 'hello' # why\ndescription: x\n", 'name: other-name # why\ndescription: x\n'],
  ['double quotes', 'description: x\nname: "he\\x6clo"\n', 'description: x\nname: other-name\n'],
  ['a literal block', 'name: |\n  hello\ndescription: x\n', 'name: other-name\ndescription: x\n'],
  [
    'a folded block',
    'name: >-\r\n  hello\r\n\r\ndescription: x\r\n',
    'name: other-name\r\n\r\ndescription: x\r\n',
  ],
  [
    'the next line',
    'name:\n  # why\n  hello\ndescription: x\n',
    'name:\n  # why\n  other-name\ndescription: x\n',
  ],
  ['a flow mapping', '{"name": hello, description: x}\n', '{"name": other-name, description: x}\n'],
  ['an explicit key', '? name\n: hello\n? description\n: x\n', '? name\n: other-name\n? description\n: x\n'],
  [
    'a name inside another field',
    'metadata:\n  name: a\nname: b\ndescription: x\n',
    'metadata:\n  name: a\nname: other-name\ndescription: x\n',
  ],
])('spec 40 §7.4: the name is replaced by a plain scalar, and nothing else: %s', (_what, front, expected) => {
  expect(renamed(front)).toBe(expected);
});

const skill = at('SKILL.md', '---\nname: hello\ndescription: x\n---\n');

test.each<[string, string[], string, string | null]>([
  ['an invalid path before a forbidden one', ['.git/config', 'z:z'], 'invalid_path', 'z:z'],
  ['a control character', ['a\tb'], 'invalid_path', null],
  ['a forbidden component', ['x/node_modules/y'], 'forbidden_path', 'x/node_modules/y'],
  ['two spellings of a folder', ['Docs/y', 'docs/x'], 'path_collision', 'docs/x'],
])('spec 40 §5.2: a folder with %s is refused', (_what, paths, reason, entry) => {
  const files = [skill, ...paths.map((path) => at(path, ''))];
  const refusal = (() => {
    try {
      return admitFiles(files, { admission: 'new', directoryName: 'hello' });
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(InvalidPackageError);
  expect(refusal).toMatchObject({ reason, entry });
});

test('spec 40 §5.3.5: the name must be that of the directory, where there is one', () => {
  const admitIn = (directoryName?: string) => admitFiles([skill], { admission: 'new', directoryName });
  expect(admitIn().fields.name).toBe('hello');
  expect(admitIn('hello').fields.name).toBe('hello');
  expect(() => admitIn('other')).toThrow('name must be that of its directory');
});

const summary = (front: string) => readSkillSummary(Buffer.from(`---\n${front}---\n`));

test('spec 40 §7: a summary is less strict than a package', () => {
  expect(summary('name: No Slug!\ndescription: x\n')).toEqual({ name: 'No Slug!', description: 'x' });
  expect(summary('description: |\n  two\n  lines\n')).toEqual({ name: null, description: 'two\nlines' });
  const long = { name: 'n'.repeat(128), description: 'd'.repeat(2_000) };
  expect(summary(`name: ${long.name}\ndescription: ${long.description}\n`)).toEqual(long);
  expect(() => readSkillFile(Buffer.from('---\nname: No Slug!\ndescription: x\n---\n'))).toThrow();
});

test.each([
  ['no description', 'name: a\n'],
  ['an empty name', 'name: ""\ndescription: x\n'],
  ['a name that is a number', 'name: 1\ndescription: x\n'],
  ['a name of two lines', 'name: "a\\nb"\ndescription: x\n'],
  ['an untrimmed name', 'name: " a"\ndescription: x\n'],
  ['a control character', 'name: a\ndescription: "x\\ty"\n'],
  ['a name of 129', `name: ${'n'.repeat(129)}\ndescription: x\n`],
  ['a description of 2,001', `name: a\ndescription: ${'d'.repeat(2_001)}\n`],
  ['a list as description', 'name: a\ndescription: [x]\n'],
  ['a key twice', 'name: a\nname: a\ndescription: x\n'],
  ['an alias', 'name: &a a\ndescription: *a\n'],
])('spec 40 §7: a summary with %s is refused', (_what, front) => {
  expect(() => summary(front)).toThrow(InvalidPackageError);
});
