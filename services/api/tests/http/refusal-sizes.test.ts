import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';

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
    const large = await remember({ text: 'x'.repeat(5_000_000) });
    expect(large).toMatch(/^The body has 50000\d\d bytes, and the limit is \d+\. Send a smaller one\.$/);
  } finally {
    await service.stop();
  }
});
