import { describe, expect, it } from 'vitest';
import { analyzeQuery } from '../../../src/search/index.ts';
import { analyzeText } from '../../support/analyze-text.ts';
import { finds } from './matching.ts';

describe('scripts without words (spec 20 S6)', () => {
  it('finds Chinese and Japanese by pairs, and by one character', () => {
    expect(finds('数据库', '我们使用同一个数据库版本。')).toBe(true);
    expect(finds('設定', 'PostgreSQLの設定を変更しました')).toBe(true);
    expect(finds('設', 'PostgreSQLの設定を変更しました')).toBe(true);
    expect(finds('설정', '데이터베이스 설정을 변경했다')).toBe(true);
    expect(finds('ﾃﾞｰﾀ', 'データベース')).toBe(true);
    expect(finds('数库', '我们使用同一个数据库版本。')).toBe(false);
  });

  it('counts a run as its pairs, or as its one character', () => {
    expect(analyzeQuery('数据库').terms.map(({ keys }) => keys)).toEqual([['数据'], ['据库']]);
    expect(analyzeQuery('記').terms).toEqual([{ text: '記', keys: ['記'], weights: [1] }]);
    expect(analyzeQuery('記 記').terms).toHaveLength(1);
  });

  it('indexes single characters and pairs; the length counts characters', () => {
    const { terms, length } = analyzeText('数据数');
    expect(Object.fromEntries(terms)).toEqual({ 数: 2, 据: 1, 数据: 1, 据数: 1 });
    expect(length).toBe(3);
  });

  it('parts a run from the word beside it', () => {
    expect(finds('postgresql', 'PostgreSQLの設定')).toBe(true);
  });

  it.each([
    ['Thai', 'ฐานข้อมูล', 'เราใช้ฐานข้อมูลเดียวกันทุกที่'],
    ['Thai', 'ทำงาน', 'ระบบนี้ทำงานทุกวัน'],
    ['Lao', 'ພາສາ', 'ພາສາລາວ'],
    ['Khmer', 'ធ្វើការ', 'ពេលវេលាធ្វើការ'],
    ['Burmese', 'မြန်မာ', 'မြန်မာစကား'],
  ])('cuts %s by dictionary', (_, query, entry) => {
    expect(finds(query, entry)).toBe(true);
  });

  it('knows a word with SARA AM, also when it is typed in two parts', () => {
    expect(analyzeQuery('น้ำ').terms).toHaveLength(1);
    expect(finds('น้ำ', 'ดื่มน้ำทุกวัน')).toBe(true);
    expect(finds('ทำงาน', 'ระบบนี้ท\u0e4d\u0e32งานทุกวัน')).toBe(true);
    expect(finds('ท\u0e4d\u0e32งาน', 'ระบบนี้ทำงานทุกวัน')).toBe(true);
  });

  it('keeps the vowel signs of Indic words', () => {
    expect(finds('डेटाबेस', 'हमने डेटाबेस चुना')).toBe(true);
    expect(analyzeQuery('डेटाबेस').terms).toHaveLength(1);
  });

  it('finds Arabic and Hebrew without their vowel points', () => {
    expect(finds('كتاب', 'كِتَاب')).toBe(true);
    expect(finds('שלום', 'שָׁלוֹם')).toBe(true);
  });

  it('takes an emoji as a term, whatever its style, and punctuation as none', () => {
    expect(finds('🚀', 'Ship it!🚀🚀')).toBe(true);
    expect(finds('👍', 'ok👍🏽')).toBe(true);
    expect(finds('❤️', '❤')).toBe(true);
    expect(finds('👨‍👩‍👧', 'a 👨‍👩‍👧 b')).toBe(true);
    expect(finds('👨', '👨‍👩‍👧')).toBe(false);
    expect(finds('🇩🇪', 'from 🇩🇪')).toBe(true);
    expect(analyzeText('!?… — «» ‼ 、。・').terms.size).toBe(0);
  });
});
