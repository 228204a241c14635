/**
 * Recognizes units that are not statements (spec 20 X4): questions, small talk (greetings, thanks, acknowledgements) and
 * speculation.
 */

const questionMark = /[?\uFF1F\u061F][!\uFF01\p{Pe}\p{Pf}"'*_`]*$/u;
const questionStart =
  /^(?:(?:can|could|would|will|do|did|are|have) (?:you|we|i|they)|(?:what|why|how|who|where|which) (?:is|are|was|were|do|does|did|can|could|should|would|will))\b(?!.*:)/i;
const questionEnd = /(?:吗|嗎|ですか|ますか|でしょうか)[。.]?$/u;

/** Whether a unit is a question, with or without a question mark. */
export function isQuestion(text: string): boolean {
  return questionMark.test(text) || questionStart.test(text) || questionEnd.test(text);
}

const greetingPattern =
  /^(?:hi|hiya|hello|hey|howdy|greetings|welcome|dear|good (?:morning|afternoon|evening|night|day)|(?:good)?bye|see you|farewell|take care|have a (?:nice|good|great)|nice to (?:meet|see)|best(?: regards)?|(?:kind|warm) regards|cheers)(?![\p{L}\p{N}_-])/iu;
const greetingCjk =
  /^(?:你好|您好|大家好|嗨|哈喽|哈囉|早上好|早安|下午好|晚上好|晚安|再见|再見|拜拜|こんにちは|おはよう|こんばんは|さようなら)/u;
const thanksPattern =
  /^(?:(?:ok(?:ay)?|great|perfect|awesome|cool|nice|many)[,!. ]{1,3})?(?:thanks(?! to)|thank you|thx|ty|much appreciated|you['’]re welcome|my pleasure)(?![\p{L}\p{N}_-])/iu;
const thanksCjk = /^(?:谢谢|謝謝|多谢|多謝|感谢|感謝|不客气|不客氣|ありがとう)/u;
const acknowledgementPattern =
  /^(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure(?: thing)?|sounds good|looks good(?: to me)?|lgtm|got it|great|perfect|awesome|cool|nice|right|exactly|no problem|of course|will do|my bad|sorry|好的?|嗯|没问题|沒問題|可以|はい)[\s!,.\uFF01\uFF0C。]*$/iu;

/** Longest greeting, in words. A longer unit contains more than a greeting. */
const greetingWords = 5;

/** Whether a unit is only a greeting, thanks or an acknowledgement. */
export function isSmallTalk(text: string): boolean {
  if (thanksPattern.test(text) || acknowledgementPattern.test(text)) return true;
  if (greetingPattern.test(text)) return text.split(' ', greetingWords + 1).length <= greetingWords;
  return (greetingCjk.test(text) || thanksCjk.test(text)) && text.length <= 12;
}

const speculationPattern =
  /^(?:maybe|perhaps|possibly|probably|presumably|i (?:guess|suppose|wonder)|(?:i['’]m )?not sure|it (?:might|may|could) be)(?![\p{L}\p{N}_])|^(?:也许|也許|或许|或許|大概|说不定|說不定)/iu;

/** Whether a unit begins like a guess. */
export function isSpeculation(text: string): boolean {
  return speculationPattern.test(text);
}
