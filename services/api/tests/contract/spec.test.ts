import { readdir, readFile } from 'node:fs/promises';
import { errorCodes, errorRecords } from '@continuity/contract';
import { toolSets, toolTable } from '@continuity/contract/mcp';
import { operations } from '@continuity/contract/operations';
import { expect, test } from 'vitest';

const folder = new URL('../../../../docs/spec/', import.meta.url);
const names = (await readdir(folder)).filter((name) => /^\d\d-/.test(name));
const files = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
const spec = files.join('\n');
const conventions = files[names.findIndex((name) => name.startsWith('00-'))] ?? '';

/** The codes between backticks behind each key of a list, such as the codes of a status. */
function listed(text: string, item: RegExp): Map<string, Set<string>> {
  const parts = text.split(item).slice(1);
  const keys = parts.filter((_, index) => index % 2 === 0);
  return new Map(
    keys.map((key, index) => {
      const codes = (parts[2 * index + 1] ?? '').matchAll(/`([a-z_]+)`/g);
      return [key, new Set([...codes].map(([, code]) => code ?? ''))];
    }),
  );
}

test.each([...operations])('the spec has $id, with its path and its status', ({ id, path, status }) => {
  const lines = spec.split('\n').filter((line) => line.includes(`\`${id}\``));
  expect(lines).not.toEqual([]);
  const end = path.split('/').slice(-2).join('/');
  expect(lines.some((line) => line.includes(end) || line.includes(`…/${end}`))).toBe(true);
  expect(lines.some((line) => new RegExp(`\\b${status}\\b`).test(line))).toBe(true);
});

test('spec 00 §3: the list of error codes is that of the contract, by status', () => {
  const section = conventions.slice(conventions.indexOf('## 3. '), conventions.indexOf('## 4. '));
  const list = section.slice(section.indexOf('- 400: '), section.indexOf('\n\n', section.indexOf('- 503: ')));
  const byStatus = listed(list, /^- (\d{3}): /m);
  for (const code of errorCodes) {
    const ofStatus = byStatus.get(String(errorRecords[code].status));
    expect(ofStatus?.delete(code), `${code} in the list of ${errorRecords[code].status}`).toBe(true);
  }
  const left = [...byStatus].flatMap(([status, codes]) => [...codes].map((code) => `${status} ${code}`));
  // A field of the details, and the one code that has a second status: that of headers that are too large.
  expect(left).toEqual(['422 path', '431 invalid_request']);
});

test('spec 00 §9.1: the sets of tools are those of MCP', () => {
  const section = conventions.slice(conventions.indexOf('## 9. MCP'));
  const list = section.slice(section.indexOf('1. A tool'), section.indexOf('\n2. '));
  const sets = listed(list, /^ {3}- `([a-z]+)`: /m);
  expect([...sets.keys()]).toEqual([...toolSets]);
  const tools = Object.entries(toolTable);
  for (const [set, ids] of sets)
    expect([...ids].sort(), set).toEqual(
      tools
        .filter(([, tool]) => tool.set === set)
        .map(([id]) => id)
        .sort(),
    );
});
