import { randomBytes } from 'node:crypto';
import type { ZipEntry } from '@continuity/testing/zip';
import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { archiveOf, helloFile } from '../support/skills.ts';

test('a refusal tells the actual size beside the limit', async () => {
  const service = await startService();
  const messageOf = async (path: string, body: object) => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { error: { message: string } }).error.message;
  };
  const remember = (fields: object) =>
    messageOf('/v1/memory/remember', { scope_id: 's', kind: 'fact', text: 'x', ...fields });
  try {
    expect(await remember({ text: 'ä'.repeat(5_000) })).toContain(
      '8192 UTF-8 bytes after trimming, and has 10000',
    );
    expect(await remember({ kind: 'k'.repeat(200) })).toContain('1 to 128 characters, and has 200');
    expect(await remember({ scope_id: '🚀'.repeat(300) })).toContain('1 to 256 characters, and has 300');
    expect(await remember({ reason: 'r'.repeat(600) })).toContain('512 characters, and has 600');
    const content = 'x'.repeat(250_000);
    expect(await messageOf('/v1/sources/content', { scope_id: 's', source_id: 'a', content })).toContain(
      '1 to 200000 characters, and has 250000',
    );
    const capture = (fields: object) =>
      messageOf('/v1/sources/content', { scope_id: 's', source_id: 'a', content: 'x', ...fields });
    expect(await capture({ metadata: { note: 'n'.repeat(70_000) } })).toContain(
      'at most 65536 bytes of canonical JSON, and has 70011',
    );
    const propose = (...files: ZipEntry[]) =>
      messageOf('/v1/skill/package/propose', { scope_id: 's', archive_base64: archiveOf(...files) });
    expect(await propose(helloFile, { name: 'p'.repeat(600) })).toContain('has 600 bytes, more than 512');
    expect(await propose(helloFile, { name: `${'d/'.repeat(20)}f` })).toContain(
      'has 21 components, more than 16',
    );
    const many = Array.from({ length: 299 }, (_, at) => ({ name: `f${at}` }));
    expect(await propose(helloFile, ...many)).toContain(
      'at most 256 files and 1024 records, and has 300 and 300',
    );
    const big = { name: 'big', content: randomBytes(4_194_305), method: 8 };
    expect(await propose(helloFile, big)).toContain(
      `at most 4194304 bytes in all, and has ${4_194_305 + 56}`,
    );
    const long = { name: 'SKILL.md', content: `---\nname: a\ndescription: ${'d'.repeat(1_030)}\n---\n` };
    expect(await propose(long)).toContain('`description` has 1,030 characters, at most 1,024.');
    const large = await remember({ text: 'x'.repeat(5_000_000) });
    expect(large).toMatch(/^The body has 50000\d\d bytes, and the limit is \d+\. Send a smaller one\.$/);
  } finally {
    await service.stop();
  }
});
