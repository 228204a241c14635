import { crc32, deflateRawSync } from 'node:zlib';
import { extraField, type ZipEntry, zip } from '@continuity/testing/zip';
import { describe, expect, test } from 'vitest';
import { openUpload } from '../src/index.ts';

/** A file of a Skill. */
interface SkillFile {
  path: string;
  content: string | Buffer;
  isProgram?: boolean;
}

/** Front matter as people write it: styles of YAML, optional fields, and texts that look like YAML. */
const frontMatters = [
  'name: plain\ndescription: Verify a release before it is published.',
  'name: quoted\ndescription: "Use when: a release is published."',
  "name: single\ndescription: 'It''s for releases.'",
  'name: folded\ndescription: >-\n  Verify a release\n  before it is published.',
  'name: literal\ndescription: |\n  Verify a release.\n  Then publish it.',
  'name: licensed\ndescription: Verify a release.\nlicense: Apache-2.0',
  'name: complete-terms\ndescription: Verify a release.\nlicense: Complete terms in LICENSE.txt',
  'name: with-metadata\ndescription: Verify a release.\nmetadata:\n  author: someone\n  version: "1.0"',
  'name: with-tools\ndescription: Verify a release.\nallowed-tools: Bash(git:*) Read',
  'name: compatible\ndescription: Verify a release.\ncompatibility: Needs git and network access.',
  'name: unicode\ndescription: Prüft ein Release 🚀, bevor es 公開 wird.',
  'name: commented\n# For the team.\ndescription: Verify a release. # Always.',
  'name: crlf\r\ndescription: Verify a release.',
  'name: long\ndescription: '.concat('Verify a release before it is published. '.repeat(20).trim()),
  'description: Verify a release.\nname: other-order',
  'name: other-order-2\nlicense: MIT\ndescription: Verify a release.\nmetadata: {}',
];

/** What lies beside `SKILL.md`, in turn. */
const trees: SkillFile[][] = [
  [],
  [{ path: 'scripts/verify.sh', content: '#!/bin/sh\nexit 0\n', isProgram: true }],
  [
    { path: 'references/api/errors.md', content: '# Errors\n'.repeat(500) },
    { path: 'LICENSE.txt', content: 'Terms.\n' },
  ],
  [
    {
      path: 'assets/logo.png',
      content: Buffer.from(Array.from({ length: 4_096 }, (_, index) => index % 251)),
    },
    { path: 'templates/résumé.md', content: 'é\n' },
    { path: 'scripts/__init__.py', content: '' },
    { path: '.gitignore', content: 'dist\n' },
  ],
];

const skills = frontMatters.map((frontMatter, index) => {
  const skillFile = { path: 'SKILL.md', content: `---\n${frontMatter}\n---\n\nRun the steps.\n` };
  return {
    name: /name: ([\w-]+)/.exec(frontMatter)?.[1] ?? '',
    files: [skillFile, ...(trees[index % trees.length] ?? [])],
  };
});

const modeOf = ({ isProgram }: SkillFile) => (isProgram === true ? 0o100755 : 0o100644);
const foldersOf = (files: SkillFile[]) => [
  ...new Set(
    files.flatMap(({ path }) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
    ),
  ),
];

/** A file as a tool writes it that does not know its size before: the sizes follow the content. */
function streamed(name: string | Buffer, content: string | Buffer, more: Partial<ZipEntry> = {}): ZipEntry {
  const bytes = Buffer.from(content);
  const packed = deflateRawSync(bytes);
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc32(bytes), 4);
  descriptor.writeUInt32LE(packed.length, 8);
  descriptor.writeUInt32LE(bytes.length, 12);
  return {
    name,
    method: 8,
    raw: Buffer.concat([packed, descriptor]),
    directory: { flags: 8, crc: crc32(bytes), compressedSize: packed.length, size: bytes.length },
    local: { flags: 8, crc: 0, compressedSize: 0, size: 0 },
    ...more,
  };
}

const appleDouble = Buffer.concat([Buffer.from('0005160700020000', 'hex'), Buffer.alloc(64)]);
const ntfsTimes = extraField(0x000a, Buffer.alloc(32));

/** Archives of a folder, byte by byte as each tool writes them: its names, flags, extra fields, and what it adds. */
const tools: Record<string, { keepsModes: boolean; pack(folder: string, files: SkillFile[]): Buffer }> = {
  'Finder (Compress)': {
    keepsModes: true,
    pack: (folder, files) =>
      zip([
        { name: `${folder}/` },
        streamed(`${folder}/.DS_Store`, Buffer.alloc(6_148)),
        streamed(`__MACOSX/${folder}/._.DS_Store`, appleDouble),
        ...foldersOf(files).map((name) => ({ name: Buffer.from(`${folder}/${name}/`.normalize('NFD')) })),
        ...files.flatMap((file) => {
          const slash = file.path.lastIndexOf('/') + 1;
          const beside = `${file.path.slice(0, slash)}._${file.path.slice(slash)}`;
          // Finder writes decomposed names, and does not say that they are UTF-8.
          return [
            streamed(Buffer.from(`${folder}/${file.path}`.normalize('NFD')), file.content, {
              mode: modeOf(file),
            }),
            streamed(Buffer.from(`__MACOSX/${folder}/${beside}`.normalize('NFD')), appleDouble),
          ];
        }),
        streamed(`__MACOSX/._${folder}`, appleDouble),
      ]),
  },
  'Explorer (Compressed folder)': {
    keepsModes: false,
    pack: (folder, files) =>
      zip(files.map(({ path, content }) => ({ name: `${folder}/${path}`, content, method: 8, mode: 0 }))),
  },
  '7-Zip': {
    keepsModes: false,
    pack: (folder, files) =>
      zip([
        { name: `${folder}/`, mode: 0, directory: { extra: ntfsTimes } },
        ...foldersOf(files).map((name) => ({
          name: `${folder}/${name}/`,
          mode: 0,
          directory: { extra: ntfsTimes },
        })),
        ...files.toReversed().map(({ path, content }) => ({
          name: `${folder}/${path}`,
          content,
          method: 8,
          mode: 0,
          directory: { extra: ntfsTimes },
        })),
      ]),
  },
  'GitHub (Download ZIP)': {
    keepsModes: true,
    pack: (folder, files) =>
      zip(
        [
          { name: `${folder}-main/` },
          ...foldersOf(files).map((name) => ({ name: `${folder}-main/${name}/` })),
          ...files.map((file) => ({
            name: `${folder}-main/${file.path}`,
            content: file.content,
            method: 8,
            mode: modeOf(file),
            directory: { extra: extraField(0x5455, Buffer.alloc(5)) },
            local: { extra: extraField(0x5455, Buffer.alloc(5)) },
          })),
        ],
        // The id of the commit.
        { comment: Buffer.from('0123456789abcdef0123456789abcdef01234567') },
      ),
  },
  'zip -r': {
    keepsModes: true,
    pack: (folder, files) => {
      const extra = Buffer.concat([
        extraField(0x5455, Buffer.alloc(9)),
        extraField(0x7875, Buffer.from('0104e803000004e8030000', 'hex')),
      ]);
      return zip([
        { name: `${folder}/`, local: { extra } },
        ...foldersOf(files).map((name) => ({ name: `${folder}/${name}/`, local: { extra } })),
        ...files.map((file) => ({
          name: `${folder}/${file.path}`,
          content: file.content,
          method: 8,
          mode: modeOf(file),
          local: { extra },
        })),
      ]);
    },
  },
};

describe.each(Object.entries(tools))(
  'spec 70 scenario 35: a folder zipped by %s',
  (_tool, { keepsModes, pack }) => {
    test.each(skills)('the Skill $name has the digest of the clean folder', ({ name, files }) => {
      const clean = files.map((file) => ({
        name: file.path,
        content: file.content,
        mode: keepsModes ? modeOf(file) : 0o100644,
      }));
      const inside = openUpload(zip(clean));
      const opened = openUpload(pack(name, files));
      expect(opened.ref).toEqual(inside.ref);
      expect(opened.adjusted.removed_folder).toMatch(new RegExp(`^${name}(-main)?$`));
    });
  },
);
