import { extraField, type ZipEntry, zip } from '@continuity/testing/zip';
import { describe, expect, test } from 'vitest';
import { InvalidPackageError, openArchive, openUpload } from '../src/index.ts';

const skillFile: ZipEntry = {
  name: 'SKILL.md',
  content: '---\nname: hello\ndescription: Say hello.\n---\n\nSay hello.\n',
};
const file = (name: string | Buffer, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  content: 'x',
  ...more,
});
const below = (folder: string, ...entries: ZipEntry[]): ZipEntry[] =>
  entries.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` }));

const pathsOf = (...entries: ZipEntry[]) => openUpload(zip(entries)).list.map(({ path }) => path);

function refusalOf(...entries: ZipEntry[]): Pick<InvalidPackageError, 'reason' | 'entry' | 'message'> {
  try {
    openUpload(zip(entries));
  } catch (error) {
    if (!(error instanceof InvalidPackageError)) throw error;
    const { reason, entry, message } = error;
    return { reason, entry, message };
  }
  throw new Error('The archive is accepted.');
}

describe('spec 70 §8.1: what desktops add is left out', () => {
  test('records of Finder and Explorer, as files and as folders, and they are listed in order', () => {
    const names = [
      '__MACOSX/',
      '__MACOSX/._SKILL.md',
      '.DS_Store',
      'scripts/.DS_Store',
      'scripts/._run.sh',
      'Thumbs.db',
      './desktop.ini',
    ];
    const opened = openUpload(
      zip([skillFile, file('scripts/run.sh'), ...names.map((name) => file(name, { content: '' }))]),
    );
    expect(opened.list.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts/run.sh']);
    expect(opened.adjusted).toEqual({ left_out: names, left_out_count: 7, removed_folder: null });
    expect(opened.ref).toEqual(openUpload(zip([skillFile, file('scripts/run.sh')])).ref);
  });

  test('names that only resemble them stay', () => {
    const names = ['.DS_Store.md', '_._x', 'docs/__MACOSX/x', 'thumbs.db', '.env.example'];
    expect(pathsOf(skillFile, ...names.map((name) => file(name)))).toEqual([skillFile.name, ...names].sort());
  });

  test('what is left out breaks no rule and fills no bound', () => {
    const junk: ZipEntry[] = [
      file('._a', { directory: { flags: 1 } }),
      file('__MACOSX/a\\b'),
      file('__MACOSX/.git/x', { mode: 0o120777 }),
      file(Buffer.from([0x2e, 0x5f, 0xff]), { directory: { crc: 1 } }),
      file('._zip64', { directory: { extra: extraField(1, Buffer.alloc(8)), size: 4_000_000_000 } }),
      ...Array.from({ length: 1_100 }, (_, index) => file(`__MACOSX/${index}`)),
    ];
    const { list, adjusted } = openUpload(zip([skillFile, ...junk]));
    expect(list.map(({ path }) => path)).toEqual(['SKILL.md']);
    expect(adjusted.left_out_count).toBe(1_105);
    expect(adjusted.left_out).toHaveLength(64);
    expect(adjusted.left_out[3]).toBe('._\ufffd');
  });

  test('a long name is cut', () => {
    const [name] = openUpload(zip([skillFile, file(`._${'🚀'.repeat(900)}`)])).adjusted.left_out;
    expect([...(name ?? '')]).toHaveLength(512);
  });

  test('nothing but such files is no package', () => {
    expect(refusalOf(file('__MACOSX/._SKILL.md'))).toMatchObject({ reason: 'missing_entrypoint' });
  });
});

describe('spec 70 §8.1: names', () => {
  test('lose a leading ./ and are composed', () => {
    expect(
      pathsOf({ name: './', content: '' }, { ...skillFile, name: './SKILL.md' }, file('./cafe\u0301.md')),
    ).toEqual(['SKILL.md', 'caf\u00e9.md']);
    expect(refusalOf(skillFile, file('././x'))).toMatchObject({ reason: 'invalid_path', entry: '././x' });
  });

  test('that are one after that collide, under the name that the archive has', () => {
    expect(refusalOf(skillFile, file('caf\u00e9'), file('cafe\u0301'))).toMatchObject({
      reason: 'path_collision',
      entry: 'cafe\u0301',
    });
    expect(refusalOf(skillFile, file('x'), file('./x'))).toMatchObject({
      reason: 'path_collision',
      entry: './x',
    });
  });

  test('of many combining marks cost no time that matters', () => {
    const marks = '\u0316\u0300'.repeat(380);
    const names = Array.from({ length: 1_000 }, (_, index) => file(`${index}${marks}`, { content: '' }));
    expect(refusalOf(skillFile, ...names)).toMatchObject({ reason: 'too_many_files' });
    expect(refusalOf(skillFile, file(`e${marks}`))).toMatchObject({ reason: 'invalid_path' });
  });
});

describe('spec 70 §8.1: the folder around a package', () => {
  test('is taken off, with its own record or without', () => {
    const inside = below('release-check', skillFile, file('scripts/run.sh'));
    const clean = openUpload(zip([skillFile, file('scripts/run.sh')])).ref;
    for (const entries of [inside, [{ name: 'release-check/' }, ...inside], below('.', ...inside)]) {
      const { ref, adjusted } = openUpload(zip(entries));
      expect(ref).toEqual(clean);
      expect(adjusted.removed_folder).toBe('release-check');
    }
  });

  test('counts to no bound of a path', () => {
    const deep = `${'d/'.repeat(15)}x`;
    expect(pathsOf(...below('🚀', skillFile, file(deep)))).toEqual(['SKILL.md', deep]);
  });

  test('is found after junk beside it is left out', () => {
    expect(pathsOf(...below('a', skillFile), file('__MACOSX/._a'), file('.DS_Store'))).toEqual(['SKILL.md']);
  });

  test.each<[string, ZipEntry[], string]>([
    ['something beside it', [...below('a', skillFile), file('README.md')], 'missing_entrypoint'],
    ['two of them', [...below('a', skillFile), ...below('b', skillFile)], 'missing_entrypoint'],
    ['one in another', below('a/b', skillFile), 'missing_entrypoint'],
    ['two spellings', [...below('a', skillFile), file('A/x')], 'path_collision'],
    ['a file with its name', [...below('a', skillFile), file('a')], 'path_collision'],
    ['..', below('..', skillFile), 'invalid_path'],
    ['no name', below('', skillFile), 'invalid_path'],
    ['.git', below('.git', skillFile), 'forbidden_path'],
    ['over 255 characters', below('d'.repeat(256), skillFile), 'missing_entrypoint'],
  ])('%s: it stays', (_what, entries, reason) => {
    expect(refusalOf(...entries).reason).toBe(reason);
  });

  test('rules hold for what is below it', () => {
    expect(refusalOf(...below('a', skillFile, file('.env')))).toMatchObject({
      reason: 'forbidden_path',
      entry: 'a/.env',
    });
    expect(refusalOf(...below('a', skillFile, file('x/SKILL.md')))).toMatchObject({
      reason: 'invalid_entrypoint',
      entry: 'x/SKILL.md',
    });
  });
});

describe('spec 70 §8.1: refusals say what to do', () => {
  const advice = 'Repack it: continuity skill upload FILE';
  const unflagged = { directory: { flags: 0 }, local: { flags: 0 } };

  test.each<[string, ZipEntry, string | null]>([
    ['a backslash', file('scripts\\run.sh'), 'scripts\\run.sh'],
    ['code page 437', file(Buffer.from([0x63, 0x82]), unflagged), null],
  ])('%s is desktop_archive', (_what, entry, name) => {
    const refusal = refusalOf(skillFile, entry, file('/x'));
    expect(refusal).toMatchObject({ reason: 'desktop_archive', entry: name });
    expect(refusal.message.endsWith(advice)).toBe(true);
  });

  test('UTF-8 without the flag is no fault, and other bytes with the flag are invalid_path', () => {
    expect(pathsOf(skillFile, file('caf\u00e9', unflagged))).toEqual(['SKILL.md', 'caf\u00e9']);
    expect(refusalOf(skillFile, file(Buffer.from([0xff])))).toMatchObject({ reason: 'invalid_path' });
  });

  test('encryption comes first', () => {
    expect(refusalOf(skillFile, file('a\\b', { directory: { flags: 1 } }))).toMatchObject({
      reason: 'encrypted_entry',
    });
  });

  test('ZIP64', () => {
    const { reason, message } = refusalOf(
      skillFile,
      file('a', { directory: { extra: extraField(1, Buffer.alloc(8)) } }),
    );
    expect(reason).toBe('unsupported_zip_feature');
    expect(message.endsWith(advice)).toBe(true);
  });

  test('a missing SKILL.md names a file of another case, or the folders that have one', () => {
    expect(refusalOf(file('skill.md')).message).toBe(
      'must have SKILL.md at its root, and has skill.md. Rename it to SKILL.md',
    );
    const folders = ['a', 'b/c', 'd', 'e', 'f'].flatMap((folder) => below(folder, skillFile));
    expect(refusalOf(...folders).message).toBe(
      'must have SKILL.md at its root, and has one in "a", "b/c", "d" and 2 more folders',
    );
  });
});

test('spec 70 §8.1: what the service hands out is read as it is', () => {
  const archive = zip([skillFile, file('.DS_Store'), file('._x')]);
  expect(openArchive(archive).list.map(({ path }) => path)).toEqual(['.DS_Store', '._x', 'SKILL.md']);
  expect(() => openArchive(zip(below('a', skillFile)))).toThrow(
    expect.objectContaining({ reason: 'missing_entrypoint' }),
  );
  expect(() => openArchive(zip([skillFile, file('a\\b')]))).toThrow(
    expect.objectContaining({ reason: 'invalid_path' }),
  );
});
