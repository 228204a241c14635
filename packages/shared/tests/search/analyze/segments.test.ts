import { describe, expect, it } from 'vitest';
import { splitSegments } from '../../../src/search/analyze/segments.ts';
import { analyzeQuery } from '../../../src/search/index.ts';

const termsOf = (query: string): string[][] => {
  const { terms, segments } = analyzeQuery(query);
  return segments.map((segment) => segment.terms.map((place) => terms[place]?.keys[0] ?? ''));
};

const words = (count: number, of = 'word'): string[] =>
  Array.from({ length: count }, (_, index) => `${of}${index}x`);

describe('segments of a query (spec 25 Q1)', () => {
  it.each([
    ['We use Postgres. Which version?', ['We use Postgres.', 'Which version?']],
    ['one line\nanother\r\nthird\u2028fourth\vfifth', ['one line', 'another', 'third', 'fourth', 'fifth']],
    [
      'Ask Dr. Smith, e.g. Today. Done on Jan. 5. Next!',
      ['Ask Dr. Smith, e.g. Today.', 'Done on Jan. 5.', 'Next!'],
    ],
    ['J. R. Smith of the U.S. Government came.', ['J. R. Smith of the U.S. Government came.']],
    [
      'Das gilt z. B. für Kunden bzw. Mandanten. Und nun?',
      ['Das gilt z. B. für Kunden bzw. Mandanten.', 'Und nun?'],
    ],
    ['什么时候部署？我们怎么部署。好', ['什么时候部署？', '我们怎么部署。', '好']],
    ['version 1.2.3 of a.b.c', ['version 1.2.3 of a.b.c']],
    ['He said "stop', ['He said "stop']],
    ['', []],
    [' \n\t\n ', []],
  ])('cuts %j', (text, segments) => {
    expect(splitSegments(text)).toEqual(segments);
  });

  it('leaves out a segment of stop words, unless the query holds nothing else', () => {
    expect(termsOf('What is it? The gazebo.')).toEqual([['gazebo']]);
    expect(termsOf('To be. Or not!')).toEqual([
      ['to', 'be'],
      ['or', 'not'],
    ]);
    expect(termsOf('!!!\n---\n???')).toEqual([]);
  });

  it('keeps the first 32 and the last 32 of more than 64 segments', () => {
    const lines = words(200);
    const expected = [...lines.slice(0, 32), ...lines.slice(-32)].map((word) => [word]);
    expect(termsOf(`!!\n${lines.join('\n--\n')}\n!!`)).toEqual(expected);
  });

  it('takes at most 512 terms, from both ends', () => {
    const lines = Array.from({ length: 20 }, (_, line) => words(40, `l${line}w`).join(' '));
    const { terms, segments } = analyzeQuery(lines.join('\n'));
    expect(terms).toHaveLength(512);
    expect(segments[0]?.terms).toHaveLength(40);
    expect(segments.at(-1)?.text).toBe(lines.at(-1));
    expect(segments.at(-1)?.terms).toHaveLength(40);
  });

  it('cuts a segment of more than 64 terms into overlapping ones, so that its end counts', () => {
    const many = words(150);
    const segments = termsOf(many.join(' '));
    expect(segments.every(({ length }) => length <= 32)).toBe(true);
    for (let start = 0; start + 16 <= many.length; start += 1) {
      const question = many.slice(start, start + 16);
      expect(segments.some((terms) => question.every((word) => terms.includes(word)))).toBe(true);
    }
    expect(termsOf(words(64).join(' '))).toEqual([words(64)]);
  });

  it.each([
    ['10,000 line breaks', '\n'.repeat(10_000)],
    ['8,192 one-letter lines', 'x\n'.repeat(4_096)],
    ['no sentence end', 'no end '.repeat(1_170)],
    ['bidirectional controls', '\u202Eabc\u202C \u2066def\u2069 '.repeat(500)],
    ['unpaired quotes', '"\'«'.repeat(2_700)],
    ['mixed scripts in one word', 'paymentеβ支払い'.repeat(500)],
    ['stops', 'a. '.repeat(2_700)],
  ])('takes %s as plain text', (_name, text) => {
    const { terms, segments } = analyzeQuery(text);
    expect(terms.length).toBeLessThanOrEqual(512);
    expect(segments.length).toBeLessThanOrEqual(64);
  });
});

describe('function words of Chinese, Japanese and Korean (spec 25 Q2)', () => {
  it.each([
    ['什么时候部署？', ['部署']],
    ['我们怎么部署', ['部署']],
    ['部署流程是什么', ['部署', '署流', '流程']],
    ['數據庫的密碼在哪裡', ['數據', '據庫', '密碼']],
    ['我们的目的是什么', ['目的']],
    ['誰が再起動できますか', ['再起', '起動']],
    ['デプロイはいつですか', ['デプ', 'プロ', 'ロイ']],
    ['언제 배포하나요?', ['배포']],
    ['서버는 어디에 있나요', ['서버']],
    ['데이터베이스를 백업합니까', ['데이', '이터', '터베', '베이', '이스', '백업']],
  ])('%s searches for %j', (query, terms) => {
    expect(termsOf(query).flat()).toEqual(terms);
  });

  it('searches for function words when there is nothing else', () => {
    for (const query of ['什么', 'ですか', '언제']) expect(termsOf(query).flat()).not.toEqual([]);
  });
});
