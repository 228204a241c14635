import { expect, test } from 'vitest';
import { decodeText, requireDecoded } from '../../src/cli/input.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each<[string, Buffer, string]>([
  ['UTF-8', bytes('Zürich 計画 🚀'), 'Zürich 計画 🚀'],
  ['UTF-8 with a byte order mark', bytes([0xef, 0xbb, 0xbf], 'plan'), 'plan'],
  ['a byte order mark alone', bytes([0xef, 0xbb, 0xbf]), ''],
  ['a mark within the text', bytes('a\ufeffb'), 'a\ufeffb'],
  ['replacement characters of its own', bytes('\ufffd and \ufffd'), '\ufffd and \ufffd'],
  ['UTF-16LE', bytes([0xff, 0xfe], [...Buffer.from('plan 5M 計', 'utf16le')]), 'plan 5M 計'],
  ['UTF-16BE', bytes([0xfe, 0xff], [...bigEndian('plan 🚀')]), 'plan 🚀'],
  ['nothing', bytes(), ''],
])('reads %s', (_name, input, text) => {
  expect(decodeText(input, 'Input')).toBe(text);
});

test.each<[string, Buffer, string]>([
  ['Latin-1', bytes('Z', [0xfc], 'rich'), 'UTF-8 text: byte 0xFC at offset 1.'],
  ['GBK', bytes('f', [0xbd, 0xbb]), 'UTF-8 text: byte 0xBD at offset 1.'],
  ['Windows-1252', bytes('été'.slice(0, 1), [0x93], 'x'), 'UTF-8 text: byte 0x93 at offset 2.'],
  ['an end within a character', bytes('ab', [0xe8, 0xa8]), 'UTF-8 text: byte 0xE8 at offset 2.'],
  ['a surrogate in UTF-8', bytes([0xed, 0xa0, 0x80]), 'UTF-8 text: byte 0xED at offset 0.'],
  ['an overlong form', bytes('a', [0xc0, 0xaf]), 'UTF-8 text: byte 0xC0 at offset 1.'],
  [
    'a fault after a replacement character and a mark',
    bytes([0xef, 0xbb, 0xbf], '\ufffdé', [0xff]),
    'UTF-8 text: byte 0xFF at offset 8.',
  ],
  [
    'a lone surrogate in UTF-16',
    bytes([0xff, 0xfe], [0x61, 0, 0, 0xd8, 0x62, 0]),
    'UTF-16 text: byte 0x00 at offset 4.',
  ],
  ['half a unit of UTF-16', bytes([0xfe, 0xff], [0, 0x61, 0]), 'UTF-16 text: byte 0x00 at offset 4.'],
  ['UTF-32', bytes([0xff, 0xfe, 0, 0], [0x61, 0, 0, 0]), 'Input is UTF-32 text.'],
])('refuses %s with the offset', (_name, input, message) => {
  expect(() => decodeText(input, 'Input')).toThrow(message);
});

test('an argument that Node could not decode is refused with its offset', () => {
  expect(requireDecoded('Zürich', 'Argument 1')).toBe('Zürich');
  expect(() => requireDecoded('Zü\ufffd', 'Argument 1')).toThrow(
    'Argument 1 is not UTF-8 text, at offset 3.',
  );
});
