/** The kinds that extraction assigns (spec 20 M10). */
export const knownKinds = ['fact', 'preference', 'decision', 'constraint', 'working_note'] as const;

export type KnownKind = (typeof knownKinds)[number];
type CuedKind = Exclude<KnownKind, 'fact'>;

/**
 * Cue lists of `rules.v1` (spec 20 X3), in order of precedence. A change of a list requires a new version of the extractor.
 */
const cues: readonly { kind: CuedKind; english: readonly string[]; chinese: readonly string[] }[] = [
  {
    kind: 'constraint',
    english: [
      "must(?:n['’]t)?",
      'never',
      '(?<!not |no longer )(?:required|mandatory)',
      'forbidden',
      'prohibited',
      'not allowed',
      'constraints?',
      '^always',
      "^(?:please )?(?:do not|don['’]t)(?! worry| know| think)",
    ],
    chinese:
      '必须 必須 必需 务必 務必 不得(?![不了已]) 禁止 严禁 嚴禁 不允许 不允許 不许 不許 切勿 (?<!要)不要'.split(
        ' ',
      ),
  },
  {
    kind: 'decision',
    english: [
      'decided',
      'decisions?',
      'chose',
      'chosen',
      'agreed',
      "(?:will|we['’]ll) use",
      'settled on',
      'opted for',
    ],
    chinese: '决定 決定 选择 選擇 选用 選用 采用 採用 商定'.split(' '),
  },
  {
    kind: 'preference',
    english: [
      'prefer(?:s|red|ences?)?',
      'likes',
      'dislikes',
      'favou?rites?',
      '(?:i|we|they) (?:really |also )?(?:like|love|enjoy|hate)',
      '(?:loves|enjoys|hates)',
    ],
    chinese: '喜欢 喜歡 偏好 偏爱 偏愛 最爱 最愛 更倾向 更傾向'.split(' '),
  },
  {
    kind: 'working_note',
    english: [
      'next steps?',
      'to[- ]?do',
      'remaining',
      'blocked',
      'blockers?',
      'fixme',
      'still needs? to',
      'follow-ups?',
    ],
    chinese: '下一步 待办 待辦 阻塞 剩余 剩餘 尚未 未完成 待处理 待處理'.split(' '),
  },
];

const patterns = cues.map(({ kind, english, chinese }) => ({
  kind,
  pattern: new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${english.join('|')})(?![\\p{L}\\p{N}_])|${chinese.join('|')}`,
    'iu',
  ),
}));

/** The kind of the first cue list that matches a text (spec 20 X3), or null. */
export function cuedKind(text: string): CuedKind | null {
  return patterns.find(({ pattern }) => pattern.test(text))?.kind ?? null;
}
