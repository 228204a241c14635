import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { zip } from '@continuity/testing/zip';
import { describe, expect, test } from 'vitest';
import { exportSkill } from '../src/export/index.ts';
import {
  admitFiles,
  InvalidPackageError,
  openArchive,
  openUpload,
  readCanonicalArchive,
  replaceSkillFile,
} from '../src/index.ts';

const skillText = '---\nname: hello\ndescription: Say hello.\n---\n\nSay hello.\n';
const skillFile = { name: 'SKILL.md', content: skillText };
const archiveWith = (...names: string[]) =>
  zip([skillFile, ...names.map((name) => ({ name, content: 'x' }))]);
const folderWith = (...names: string[]) =>
  ['SKILL.md', ...names].map((path) => ({
    path,
    executable: false,
    bytes: Buffer.from(path === 'SKILL.md' ? skillText : 'x'),
  }));

function refusal(admit: () => unknown): InvalidPackageError | undefined {
  try {
    admit();
    return undefined;
  } catch (error) {
    if (error instanceof InvalidPackageError) return error;
    throw error;
  }
}

/** The refusals of an upload and of an import with these files. */
const refusals = (...names: string[]) => [
  refusal(() => openUpload(archiveWith(...names))),
  refusal(() => admitFiles(folderWith(...names), { admission: 'new', directoryName: 'hello' })),
];

const windows = [
  'con',
  'Con.md',
  'docs/NUL.txt',
  'nul.tar.gz',
  'aux/notes.md',
  'PRN',
  'com1',
  'COM9.log',
  'lpt1.txt',
  'LPT9',
  'COM¹',
  'lpt²/a',
  'com³.x',
  'CONIN$',
  'conout$.txt',
  'nul .txt',
  'a<b',
  'a>b',
  'a"b',
  'a|b',
  'what?.md',
  '*.md',
  'docs/end.',
  'docs /a',
  'wide\u3000',
  'no-break\u00a0/a',
];

const hidden: [string, string][] = [
  ['a zero-width space', 'a\u200bb'],
  ['a joiner outside of an emoji', 'a\u200db'],
  ['a non-joiner', 'a\u200cb'],
  ['a byte-order mark', '\ufeffa'],
  ['a word joiner', 'a\u2060b'],
  ['tag characters', 'run\u{e0072}\u{e006d}.sh'],
  ['tag characters behind an emoji', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['a language tag', '\u{e0001}'],
  ['an override to the left', 'a\u202egnp.sh'],
  ['an isolate', 'a\u2067b\u2069'],
  ['a mark to the right', 'a\u200fb'],
  ['an Arabic letter mark', 'a\u061cb'],
  ['a soft hyphen', 're\u00adlease'],
  ['a variation selector behind a letter', 'a\ufe0f'],
  ['a variation selector of the supplement', '😀\u{e0100}'],
  ['two variation selectors behind an emoji', '❤\ufe0f\ufe0f'],
  ['a Mongolian variation selector', 'a\u180b'],
  ['a Hangul filler', 'a\u3164b'],
  ['a combining grapheme joiner', 'a\u034fb'],
  ['an invisible operator', 'f\u2061x'],
  ['a line separator', 'a\u2028b'],
  ['a paragraph separator', 'a\u2029b'],
  ['an annotation mark', 'a\ufff9b'],
  ['a Braille blank', 'a\u2800b'],
];

describe('spec 40 §5.2: invalid_path of names that not every host can create', () => {
  test.each(windows)('%j', (name) => {
    for (const error of refusals(name)) expect(error).toMatchObject({ reason: 'invalid_path', entry: name });
  });

  test.each([
    'console.md',
    'nul-values.md',
    'com10',
    'com0',
    'lpt',
    'auxiliary/a',
    'x.con',
    'a;b',
    "it's",
    'a$b',
  ])('%j is accepted', (name) => {
    expect(refusals(name)).toEqual([undefined, undefined]);
  });

  test('a directory of an archive is checked, too', () => {
    const archive = zip([skillFile, { name: 'aux/' }]);
    expect(refusal(() => openUpload(archive))).toMatchObject({ reason: 'invalid_path', entry: 'aux/' });
  });
});

describe('spec 40 §5.2: invalid_path of names that readers cannot see', () => {
  test.each(hidden)('%s', (_what, name) => {
    for (const error of refusals(`docs/${name}`)) {
      expect(error).toMatchObject({ reason: 'invalid_path', entry: `docs/${name}` });
      expect(error?.message).toMatch(
        /^"docs\/.*<U\+[0-9A-F]{4,5}>.*" holds U\+[0-9A-F]{4,5}, which readers cannot see$/u,
      );
      expect(error?.message.match(/[\p{Cf}\p{Zl}\p{Zp}]/u)).toBeNull();
    }
  });

  test.each([
    '❤️.md',
    '👩‍💻/notes.md',
    '1️⃣ first.md',
    '🇩🇪',
    '👍🏽',
    '🏳️‍🌈',
    'naïve',
    '日本語.md',
    'हिन्दी',
    'עברית',
    'ملف',
  ])('%j is accepted', (name) => {
    expect(refusals(name.normalize('NFC'))).toEqual([undefined, undefined]);
  });
});

const nested = ['references/x/SKILL.md', 'references/skill.md', 'a/b/c/Skill.MD', 'x/\u017fkill.md'];

describe('spec 40 §5.2: one SKILL.md in a package', () => {
  test.each(nested)('beside the one at the root, %j is invalid_entrypoint', (name) => {
    for (const error of refusals('a.md', name)) {
      expect(error).toMatchObject({ reason: 'invalid_entrypoint', entry: name, field: null });
      expect(error?.message).toContain('a second SKILL.md');
    }
  });

  test.each(['references/MY-SKILL.md', 'SKILL.md.txt', 'skill/a.md', 'references/SKILL.txt'])(
    '%j is accepted',
    (name) => {
      expect(refusals(name)).toEqual([undefined, undefined]);
    },
  );
});

test('spec 40 §5.2: a package that was stored before these rules is read, revised and exported', async () => {
  const names = ['docs/con', 'docs/a\u200bb', 'what?.md', 'references/x/SKILL.md'];
  const stored = openArchive(archiveWith(...names));
  const steps = readCanonicalArchive(stored.archive);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  expect(step.value.treeDigest).toBe(stored.ref.tree_digest);
  expect(admitFiles(stored.files, { admission: 'stored' }).ref).toEqual(stored.ref);
  expect(replaceSkillFile(stored.files, `${skillText}More.\n`).files).toHaveLength(5);

  const project = await temporaryDirectory('project');
  const download = { package: stored.ref, archive_base64: stored.archive.toString('base64') };
  const placed = await exportSkill(download, { project, agent: 'codex' });
  for (const name of names) expect(await readFile(join(placed, name), 'utf8')).toBe('x');
});
