import { cuedKind } from './kinds.ts';
import { labelStart, wrappedWidth } from './line-forms.ts';
import { countCjk } from './scripts.ts';
import { hasSentenceEnd, splitSentences } from './sentences.ts';

/** Tells a sentence below a list from the rest of its last item (spec 25 Q14). */

/** Begins a remark on what is above it, as no sentence of its own does. */
const remarkStart =
  /^(?:it|its|they|their|this|that|these|those|he|she|then|there|also|so|and|but|or|otherwise|therefore|because|es|sie|er|das|dies\p{L}{0,2}|dann|dazu|danach|dort|auch|und|aber|oder|sonst|deshalb|il|elle|ils|elles|cela|ensuite|ce|ello|esto|después|ele|ela|isso|depois|questo|poi|dit|deze|daarna|to|potem)(?!\p{L})|^(?:它|他|她|这|這|那|然后|然後|并|並|而|但|或|因此|所以|それ|これ|その|この|また|そして|ただし)/iu;
/** Ends a part of a sentence in Chinese or Japanese. */
const particleEnd = /[のをにがはとでへも的和与與及或在把]$/u;
const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const withoutEnds = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** As much of a line as decides whether a sentence ends before it, in characters. */
const beginning = 80;

/** Whether a sentence can end between two lines. Items of scripts without capital letters have a last mark less often. */
function canEndHere(before: string, text: string): boolean {
  if (hasSentenceEnd(before)) {
    const next = text.slice(0, beginning);
    const apart = splitSentences(before).length + splitSentences(next).length;
    return splitSentences(`${before} ${next}`).length === apart;
  }
  if (/[:;,\uFF1A\uFF1B\uFF0C\u3001]$/u.test(before) || particleEnd.test(before)) return false;
  return withoutEnds.test(text) || (withoutSpaces.test(text) && hasSentenceEnd(text));
}

/**
 * Whether a line directly below an item says something of its own, and is neither the rest of a wrapped sentence nor a remark on the item: it
 * has a cue (spec 20 X3), and a sentence can end before it.
 */
export function isOwnSentence(before: string, text: string): boolean {
  if (before.length + countCjk(before) >= wrappedWidth || !labelStart.test(text)) return false;
  return canEndHere(before, text) && !remarkStart.test(text) && cuedKind(text) !== null;
}
