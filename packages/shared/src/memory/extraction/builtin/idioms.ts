/**
 * Figures of speech with the words of a rule or a decision (spec 25 Q15): `You must be kidding!`, `never mind`, `不得不说`.
 */
const idioms = new RegExp(
  [
    '(?:you|he|she|they|this|that|it|there) must (?:be (?:kidding|joking|crazy|mad|nuts|dreaming|tired|exhausted|proud|fun|nice|hard|a |an |the |because|why|due|something|some )|have )',
    'must (?:have (?:been|\\p{L}+(?:ed|en|ne|d|t)\\b)|admit|confess|say\\b)',
    '(?:needless|sad|sorry) to say|has to be (?:the|a) (?:best|worst|joke)',
    '(?:never ?mind|you never know|never(?:[- ])ending|never a dull|better late than never|now or never|never fails? to (?:make|amaze|surprise|impress|disappoint)|never (?:say never|in my life|thought i|ever again))',
    "(?:do not|don[’']t|please) (?:worry|bother|panic|mention it)|no need to worry|don[’']t get me wrong",
    "(?:can(?:not|[’']t)) (?:wait|believe|complain|help (?:it|but)|thank|agree more|be (?:serious|true|right))",
    "to[- ]do (?:with|so)|remaining (?:calm|neutral)|writer[’']s block",
    '(?:darf|kann)(?: \\p{L}+){0,4} nicht wahr sein|muss(?: \\p{L}+){0,2} (?:sagen|zugeben|gestehen|lachen|schmunzeln|los|weg|gehen)|muss nicht sein|nie im leben|sag niemals nie|kein muss|muss wohl|da muss ich|ich muss (?:jetzt|mal|dann|gleich|zum|zur|nach)',
    '不得不|必须的|必須的|不能不说|不能不說|你(?:一定|肯定)是?在?(?:开玩笑|開玩笑)|一定要(?:幸福|开心|開心|快乐|快樂)|不能再(?:好|赞|同意)|决定性|決定性|决定论',
    'せざるを得ない|冗談|仕方(?:が)?ない|しょうがない|違いない|とんでもない|信じられない|やむを得ない|たまらない|問題ない|申し訳(?:ない|ありません)|かもしれない|かもしれません|すみません|物足りない|知れない',
  ].join('|'),
  'giu',
);

/** A text without its figures of speech. */
export function withoutIdioms(text: string): string {
  return text.replace(idioms, '¶');
}

/** Whether a text has a figure of speech. */
export function hasIdiom(text: string): boolean {
  return withoutIdioms(text) !== text;
}
