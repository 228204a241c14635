import type { SkillContent } from '@continuity/contract/skills';
import { extraField, type ZipEntry, zip } from '@continuity/testing/zip';
import { afterAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';

const service = await startService();
const skills = skillCalls(service);

afterAll(() => service.stop());

const script: ZipEntry = { name: 'scripts/verify.sh', content: '#!/bin/sh\nexit 0\n', mode: 0o100755 };
const reference: ZipEntry = { name: 'références/café.md', content: 'x\n' };
const clean = [skillFile('release-check'), script, reference];
const below = (folder: string, entries: ZipEntry[]) =>
  entries.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` }));

/** An entry as Finder writes it: a data descriptor, an extra field `UX`, a decomposed name, and no flag for UTF-8. */
function finder(entry: ZipEntry): ZipEntry {
  const extra = extraField(0x5855, Buffer.alloc(8));
  return {
    ...entry,
    name: String(entry.name).normalize('NFD'),
    method: 8,
    local: { flags: 8, crc: 0, size: 0, compressedSize: 0, extra },
    directory: { flags: 8, extra },
  };
}

const junk = (name: string) => finder({ name, content: '\0\x05\x16\x07' });

/** An entry as 7-Zip writes it: an extra field with the times of NTFS. */
const sevenZip = (entry: ZipEntry): ZipEntry => ({
  ...entry,
  method: 8,
  directory: { extra: extraField(0x000a, Buffer.alloc(32)) },
});

async function upload(entries: ZipEntry[]) {
  const { status, body } = await skills.upload(freshScope(), archiveOf(...entries));
  return { status, digest: (body.proposal as SkillContent).package?.tree_digest, adjusted: body.adjusted };
}

const cleanDigest = (await upload(clean)).digest;

test.each<[string, ZipEntry[], string[], string | null]>([
  [
    'a folder by Finder',
    [
      { name: 'release-check/' },
      ...below('release-check', clean).map(finder),
      junk('__MACOSX/release-check/._SKILL.md'),
      junk('release-check/.DS_Store'),
      junk('__MACOSX/._release-check'),
    ],
    ['__MACOSX/release-check/._SKILL.md', 'release-check/.DS_Store', '__MACOSX/._release-check'],
    'release-check',
  ],
  [
    'items by Finder',
    [...clean.map(finder), junk('__MACOSX/._SKILL.md'), junk('scripts/.DS_Store')],
    ['__MACOSX/._SKILL.md', 'scripts/.DS_Store'],
    null,
  ],
  [
    'a folder by Explorer',
    [...below('release-check', clean), { name: 'release-check/Thumbs.db', content: 'x' }],
    ['release-check/Thumbs.db'],
    'release-check',
  ],
  ['items by Explorer', [...clean, { name: 'desktop.ini', content: 'x' }], ['desktop.ini'], null],
  ['a folder by 7-Zip', below('release-check', clean).map(sevenZip), [], 'release-check'],
  ['items by 7-Zip', clean.map(sevenZip), [], null],
  [
    'GitHub',
    [{ name: 'release-check-main/' }, ...below('release-check-main', clean)],
    [],
    'release-check-main',
  ],
  ['zip of .', below('.', clean), [], null],
])(
  'spec 70 scenario 35: %s is 201 with the digest of the clean folder',
  async (_tool, entries, left_out, removed_folder) => {
    expect(await upload(entries)).toEqual({
      status: 201,
      digest: cleanDigest,
      adjusted: { left_out, left_out_count: left_out.length, removed_folder },
    });
  },
);

test('spec 70 §8.1: a repeat under one key has the same adjusted', async () => {
  const scope = freshScope();
  const archive = zip(below('release-check', clean)).toString('base64');
  const send = () => skills.upload(scope, archive, {}, { 'idempotency-key': 'desktop' });
  const first = (await send()).body;
  expect(first.adjusted.removed_folder).toBe('release-check');
  expect((await send()).body).toEqual(first);
});

const unflagged = { directory: { flags: 0 }, local: { flags: 0 } };

test.each<[string, ZipEntry, string | null]>([
  ['PowerShell 5', { ...script, name: 'scripts\\verify.sh' }, 'scripts\\verify.sh'],
  ['code page 437', { ...reference, name: Buffer.from('caf\x82.md', 'latin1'), ...unflagged }, null],
])(
  'spec 70 scenario 35: %s is desktop_archive, and the message says what to do',
  async (_tool, entry, name) => {
    const reply = await service.send('POST', '/v1/skill/package/propose', {
      scope_id: freshScope(),
      archive_base64: archiveOf(skillFile('release-check'), entry),
    });
    expect(reply.status).toBe(422);
    const { error } = reply.json as { error: { message: string; details: unknown } };
    expect(error.details).toMatchObject({ package_error: { reason: 'desktop_archive', entry: name } });
    expect(error.message.endsWith('Repack it: continuity skill upload FILE')).toBe(true);
  },
);
