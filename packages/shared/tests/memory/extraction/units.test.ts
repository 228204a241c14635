import { describe, expect, test } from 'vitest';
import { splitSentences } from '../../../src/memory/extraction/builtin/sentences.ts';
import { unitsOf } from '../../../src/memory/extraction/builtin/units.ts';

function texts(source: string): string[] {
  return unitsOf({ text: source, speaker: null }).map(({ text }) => text);
}

describe('spec 20 X2: sentences', () => {
  test.each([
    [
      'We use Redis 7.2 on db.example.com. It holds 10.5 GB!',
      ['We use Redis 7.2 on db.example.com.', 'It holds 10.5 GB!'],
    ],
    [
      'Use a cache, e.g. Redis, cf. the ADR. See fig. 3 and no. 5.',
      ['Use a cache, e.g. Redis, cf. the ADR.', 'See fig. 3 and no. 5.'],
    ],
    [
      'Dr. Smith and John F. Kennedy met J. R. Tolkien. They left.',
      ['Dr. Smith and John F. Kennedy met J. R. Tolkien.', 'They left.'],
    ],
    ['We chose option B. Then we left.', ['We chose option B.', 'Then we left.']],
    ['He said "Never log." We agreed.', ['He said "Never log."', 'We agreed.']],
    ['Das gilt z. B. für Tests, d.h. immer. Gut.', ['Das gilt z. B. für Tests, d.h. immer.', 'Gut.']],
    ['**Never log tokens.** Use pnpm.', ['**Never log tokens.**', 'Use pnpm.']],
    [
      'The name "Wow!" is fine. Wait... what? Run a?b=c now.',
      ['The name "Wow!" is fine.', 'Wait... what?', 'Run a?b=c now.'],
    ],
    [
      '必须使用 pnpm。不得记录令牌\uFF01为什么\uFF1F因为安全。',
      ['必须使用 pnpm。', '不得记录令牌\uFF01', '为什么\uFF1F', '因为安全。'],
    ],
    ['Wir nutzen Postgres 16.然后部署。', ['Wir nutzen Postgres 16.', '然后部署。']],
  ])('%s', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });
});

describe('spec 20 X2: lines', () => {
  test('a sentence goes on over line breaks, with a space only where the script has one', () => {
    expect(texts('We decided to use\nPostgres 16. It is\n  fast enough.')).toEqual([
      'We decided to use Postgres 16.',
      'It is fast enough.',
    ]);
    expect(texts('数据库部署在\n法兰克福机房。')).toEqual(['数据库部署在法兰克福机房。']);
  });

  test('lines without sentence marks are statements of their own', () => {
    expect(texts('Postgres runs in Frankfurt\nRedis runs in Paris')).toEqual([
      'Postgres runs in Frankfurt',
      'Redis runs in Paris',
    ]);
  });

  test('a wrapped line goes on even where the author writes no sentence marks', () => {
    const wrapped =
      'The gateway keeps a heartbeat row for every worker, with the\nQueues it serves and what it can do';
    expect(texts(wrapped)).toEqual([wrapped.replace('\n', ' ')]);
  });

  test('a number that begins a wrapped line is no list mark', () => {
    expect(texts('We run Postgres\n16. Never log tokens.')).toEqual([
      'We run Postgres 16.',
      'Never log tokens.',
    ]);
  });

  test('text indented as a whole is no code block', () => {
    expect(texts('\n    We decided to use pnpm.\n    Never log tokens.\n')).toEqual([
      'We decided to use pnpm.',
      'Never log tokens.',
    ]);
  });
});

describe('spec 20 X2: list items', () => {
  test('each item is one unit without its mark, with the lines that belong to it', () => {
    const list = [
      '- Never log tokens. Not even once.',
      '* [ ] Write the runbook',
      '  for operators',
      '  1. Check the backup',
      '2) Rotate the keys',
      '(3) Use TLS',
      '• Ship on Monday',
      '一、部署数据库',
      '①检查备份',
    ];
    expect(texts(list.join('\n'))).toEqual([
      'Never log tokens. Not even once.',
      'Write the runbook for operators',
      'Check the backup',
      'Rotate the keys',
      'Use TLS',
      'Ship on Monday',
      '部署数据库',
      '检查备份',
    ]);
  });

  test('an indented paragraph after a blank line belongs to the list, not to a code block', () => {
    expect(texts('- First point\n\n    It has a second paragraph.')).toEqual([
      'First point',
      'It has a second paragraph.',
    ]);
  });
});

describe('spec 20 X2: no units', () => {
  test.each([
    ['a fenced block', '```ts\nconst never = "must";\n```'],
    ['a tilde block in a list', '- ~~~\n  Never log tokens.\n  ~~~'],
    ['an unclosed block', '```\nNever log tokens.\n\nWe decided.'],
    ['an indented block', 'Intro:\n\n    never(must);\n    decided();'],
    ['a JSON line', '{"level":"info","msg":"must never"}'],
    ['a shell prompt', '$ npm install --must-never'],
    ['an ATX heading', '## We decided to use Postgres'],
    ['a setext heading', 'We decided\n=========='],
    ['a short line over dashes', 'Decisions\n---'],
    ['a rule', '---\n* * *'],
    ['a bare URL', 'https://example.com/must/never\n- <https://example.com/decided>'],
    ['a lead-in', 'We agreed on the following:\n'],
    ['a log line', '2024-05-01T10:00:00.123Z INFO server must start'],
    ['a bracketed log line', '[2024-05-01 10:00:00] worker decided to stop'],
    ['a level', 'ERROR: connection must be open\nINFO  Server never started\n[debug] chosen'],
    ['syslog', 'May  3 10:00:00 host sshd[1]: never accepted'],
    ['logfmt', 'ts=1 level=info msg="must never"'],
    ['an access log', '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /never HTTP/1.0" 200 2326'],
    [
      'a JavaScript trace',
      'TypeError: x must not be null\n    at foo (/x/y.js:1:2)\n    at async file:///z.js:3:4',
    ],
    [
      'a Java trace',
      'Exception in thread "main" java.lang.IllegalStateException: never\n\tat a.B.c(B.java:12)\n\t... 3 more',
    ],
    [
      'a Python trace',
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    must()\nValueError: never',
    ],
    ['a Go trace', 'panic: never\ngoroutine 1 [running]:\n\t/x/main.go:12 +0x1d'],
  ])('%s', (_, source) => {
    expect(texts(source)).toEqual([]);
  });

  test('what stands around them stays', () => {
    const source = 'We decided to use pnpm.\n```\ncode\n```\nNever log tokens.\n\n> It is quoted text.';
    expect(texts(source)).toEqual(['We decided to use pnpm.', 'Never log tokens.', 'It is quoted text.']);
  });

  test('prose that begins like them is prose', () => {
    const prose = [
      'DEBUG must be off in production.',
      'At 10:30 we deploy.',
      '2024-05-01: We decided to use pnpm.',
    ];
    expect(prose.flatMap(texts)).toEqual(prose);
  });

  test('the rows of a table are units, its head and frame are not', () => {
    expect(texts('| Name | Version |\n|---|:-:|\n| Postgres | 16 |')).toEqual(['Postgres | 16']);
  });
});

describe('spec 20 X2: speakers', () => {
  function spoken(source: string): [string | null, string][] {
    return unitsOf({ text: source, speaker: null }).map(({ speaker, text }) => [speaker, text]);
  }

  test.each([
    ['Alice: We ship.', 'Alice'],
    ['Mary Ann Lee: We ship.', 'Mary Ann Lee'],
    ['**Bob:** We ship.', 'Bob'],
    ['**Bob**: We ship.', 'Bob'],
    ['assistant: We ship.', 'assistant'],
    ['[10:32] Carol: We ship.', 'Carol'],
    ['[10:32:05] Carol: We ship.', 'Carol'],
    ['Carol (2024-05-01): We ship.', 'Carol'],
    ['@dave: We ship.', 'dave'],
    ['张三\uFF1AWe ship.', '张三'],
    ['用户: We ship.', '用户'],
    ['- Alice: We ship.', 'Alice'],
  ])('%s', (line, speaker) => {
    expect(spoken(line)).toEqual([[speaker, 'We ship.']]);
  });

  test.each([
    'Note: we ship.',
    'TODO: we ship.',
    'Decision: we ship.',
    'Action: we ship.',
    'Summary: we ship.',
    'Question: we ship.',
    'Answer: we ship.',
    'Warning: we ship.',
    'Example: we ship.',
    'Next step: we ship.',
    'Must: we ship.',
    'Blocked: we ship.',
    '注意\uFF1A我们发布。',
    '下一步\uFF1A我们发布。',
    '我们的结论是\uFF1A发布。',
    'The reason is this: we ship.',
    'See https://example.com now.',
  ])('the label stays: %s', (line) => {
    expect(spoken(line)).toEqual([[null, line]]);
  });

  test('a speaker keeps the word for the paragraph, and alone on a line for the next one', () => {
    const talk =
      'Alice: We ship. On Monday.\nBob: Good point there.\n\nNobody said this.\n\nCarol:\n\nWe wait here.';
    expect(spoken(talk)).toEqual([
      ['Alice', 'We ship.'],
      ['Alice', 'On Monday.'],
      ['Bob', 'Good point there.'],
      [null, 'Nobody said this.'],
      ['Carol', 'We wait here.'],
    ]);
  });
});
