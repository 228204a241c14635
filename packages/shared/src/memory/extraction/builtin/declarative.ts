import { hasIdiom } from './idioms.ts';
import { hasNumber, hasWorkWord } from './work-words.ts';

/**
 * Recognizes units that are no statements (spec 20 X4, spec 25 Q15): questions, small talk, and what an agent says while it works.
 */

const questionMark = /[?\uFF1F\u061F][!\uFF01\p{Pe}\p{Pf}"'*_`]*$/u;
const questionStart =
  /^(?:(?:can|could|would|will|do|did|are|have) (?:you|we|i|they)|(?:what|why|how|who|where|which) (?:is|are|was|were|do|does|did|can|could|should|would|will))\b(?!.*:)|^(?:kannst|könntest|können|würdest|willst|hast|weißt) (?:du|sie|wir)\b|^(?:能不能|可不可以|要不要|有没有|怎么|為什麼|为什么)/i;
const questionEnd = /(?:吗|嗎|呢|ですか|ますか|ませんか|でしょうか|か)[。.]?$/u;

/** Whether a unit is a question, with or without a question mark. */
export function isQuestion(text: string): boolean {
  return questionMark.test(text) || questionStart.test(text) || questionEnd.test(text);
}

const greetingPattern =
  /^(?:hi|hiya|hello|hey|howdy|greetings|welcome|dear|good (?:morning|afternoon|evening|night|day)|(?:good)?bye|see you|farewell|take care|have a (?:nice|good|great|lovely)|nice to (?:meet|see)|happy (?:birthday|holidays|weekend|friday|new year)|merry christmas|frohe|alles gute|best(?: regards)?|(?:kind|warm) regards|cheers|guten (?:morgen|tag|abend)|gute nacht|hallo|moin|servus|grüß(?:e| gott)|tschüss|ciao|bis (?:bald|morgen|später|dann|montag)|schöne[sn]? (?:wochenende|feierabend|tag|abend|urlaub)|viele grüße|liebe grüße|mit freundlichen grüßen|bonjour|salut|au revoir|hola|buenos días|olá|bom dia|buongiorno|привет|здравствуйте|добрый день)(?![\p{L}\p{N}_-])/iu;
/** Greetings in more languages, with the same limits as thanks in them. */
const greetingElsewhere =
  /^(?:bonsoir|bon(?:ne)? (?:week-end|soirée|journée|nuit)|buenas (?:tardes|noches)|feliz|buen fin de semana|bo[am] (?:tarde|noite|fim de semana)|buonasera|buon (?:weekend|fine settimana)|всем привет|добр(?:ый|ое) (?:вечер|утро)|хороши[ех] выходны[ех]|cześć|dzień dobry|miłego|goede(?:morgen|middag|navond)|fijn weekend|merhaba|günaydın|iyi (?:günler|akşamlar|hafta sonları)|مرحبا|أهلا|السلام عليكم|صباح الخير|नमस्ते|शुभ|(?:hej(?:san)?|hei|moikka|halo|ahoj|szia(?:sztok)?)(?=[,!.]|$| \p{L}+[!.]?$)|god (?:morgon|morgen|kväll|aften|helg)|trevlig helg|jó (?:reggelt|napot|estét)|bună (?:ziua|dimineața|seara)|привіт|доброго (?:ранку|дня|вечора)|dobrý den|γεια (?:σας|σου)?|καλημέρα|καλησπέρα|xin chào|chào (?:các bạn|mọi người|anh|chị)|selamat (?:pagi|siang|sore|malam)|שלום|בוקר טוב)(?![\p{L}\p{N}_-])/iu;
const greetingCjk =
  /^(?:你好|您好|大家好|嗨|哈喽|哈囉|早上好|早安|下午好|晚上好|晚安|再见|再見|拜拜|周末愉快|週末愉快|辛苦了|こんにちは|おはよう|こんばんは|さようなら|お疲れ|良い週末|よい週末|またね|では?また|よろしく|お願いします|안녕|สวัสดี)/u;
const thanksPattern =
  /^(?:(?:ok(?:ay)?|great|perfect|awesome|cool|nice|many|alles klar|super|sounds good|looks good)[,!. ]{1,3}){0,2}(?:thanks(?! to)|thank you|thx|ty|much appreciated|you['’]re welcome|my pleasure|danke(?:schön)?|vielen dank|gern geschehen|merci|gracias|obrigad[oa]|grazie|спасибо)(?![\p{L}\p{N}_-])/iu;
/** Thanks in more languages, or with more words. They count only in a short unit without a word of work or a number. */
const thanksElsewhere =
  /^(?:(?:muchas |mil )gracias|(?:muito )obrigad[oa]|dziękuję|dank je|bedankt|teşekkür\p{L}*|شكرا|धन्यवाद|tack(?= (?:så|för)(?!\p{L})|[!.,]{0,3}$)|(?:mange |tusen )takk?|takk?(?= (?:for|skal|så)(?!\p{L})|[!.,]{0,3}$)|kiitos|köszön(?:öm|jük)|mulțumesc|дякую|děkuj[iu]|ευχαριστώ|cảm ơn|terima kasih|תודה)(?![\p{L}\p{N}_-])/iu;
const thanksCjk = /(?:谢谢|謝謝|多谢|多謝|感谢|感謝|不客气|不客氣|ありがと|助かりま|감사|ขอบคุณ)/u;
const acknowledgementPattern =
  /^(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure(?: thing)?|sounds good|looks good(?: to me)?|lgtm|got it|great|perfect|awesome|cool|nice|right|exactly|no problem|of course|will do|my bad|sorry|makes sense|that makes sense|fair enough|good (?:point|idea|question|job|work)|well done|nice work|alles klar|genau|stimmt|klar|passt|super|na klar|kein problem|gute idee|verstanden|ja|nein|doch|mach ich|wird gemacht|好的?|嗯|没问题|沒問題|可以|明白了?|收到|对|對|没错|行|はい|いいえ|了解(?:です|しました)?|なるほど|わかりました|分かりました|承知(?:しました)?|そうですね|네|알겠습니다)(?:, ?\p{L}{2,12}){0,2}[\s!,.~\uFF01\uFF0C。、]*$/iu;

/**
 * Words that begin a comment on something: `Haha, …`, `Sorry, …`. `No` and `Super` also begin rules (`No meetings before noon.`, in Spanish too)
 * and names (`Super admins …`), so a comma or another word has to show the comment.
 */
const interjection =
  /^(?:ha(?:ha)+|lol|wow|oh|ah|aha|hm+|yay|oops|ugh|phew|ok(?:ay)?|sure|yes|yeah|no(?=[,.!… ]*$|[,.!…]| (?:worries|way|problem|idea|clue|kidding|wonder|thanks|doubt|rush|hurry|you|i|it|that|this|he|she|they|we)(?!\p{L}))|great|nice|cool|awesome|perfect|sounds(?= (?:good|great|fun|fine|like|nice|cool|awesome|perfect|right|reasonable|interesting)(?!\p{L}))|sorry|well done|congrat\p{L}*|alles klar|genau|super(?=[,.!… ]*$|[,.!…]| (?:idee|sache|gut|gemacht|cool|nice|fun|happy|dann|das|danke|wir|ich)(?!\p{L}))|klar|ja|nein|tja|ach|oje|mist|prima|toll|stimmt|好的|嗯|哈哈|哇|唉|哎|太好了|太棒了|真的|厉害|恭喜|抱歉|对不起|不好意思|なるほど|はい|いいえ|ええ|うん|すごい|やった|お疲れ|すみません|ごめん|おめでとう)(?![\p{L}\p{N}_])|^(?:嗯|哈哈|哇|唉|好的|太好了|太棒了|恭喜|抱歉|不好意思|なるほど|すごい|お疲れ|すみません|ごめん|おめでとう|嬉しい)/iu;

/** Longest greeting, in words. A longer unit contains more than a greeting. */
const greetingWords = 5;
/** Longest thanks in a language other than English, in words. */
const thanksWords = 8;
/** Longest CJK greeting or thanks, in characters. */
const greetingCharacters = 20;

/** Whether a unit is only a greeting, thanks or an acknowledgement. */
export function isGreeting(text: string): boolean {
  if (thanksPattern.test(text) || acknowledgementPattern.test(text)) return true;
  if (greetingPattern.test(text) && isShorter(text, greetingWords)) return true;
  if ((greetingCjk.test(text) || thanksCjk.test(text)) && text.length <= greetingCharacters) return true;
  return isGreetingElsewhere(text.replace(/^[¡¿]+/, ''));
}

/** The same in more languages, and of several greetings: `Hi all, happy Friday!` */
function isGreetingElsewhere(text: string): boolean {
  if (thanksElsewhere.test(text)) return isShorter(text, thanksWords) && !isOfWork(text);
  return text.split(/[,،]/, 4).every(isGreetingPart) && !isOfWork(text);
}

function isGreetingPart(part: string): boolean {
  const plain = part.replace(/^[\s¡¿]+/, '');
  return (greetingPattern.test(plain) || greetingElsewhere.test(plain)) && isShorter(plain, greetingWords);
}

function isOfWork(text: string): boolean {
  return hasWorkWord(text) || hasNumber(text);
}

function isShorter(text: string, words: number): boolean {
  return text.split(' ', words + 1).length <= words;
}

/** Whether a unit is talk that does not bear on work: greetings, comments, figures of speech without anything of substance. */
export function isSmallTalk(text: string): boolean {
  return isGreeting(text) || ((interjection.test(text) || hasIdiom(text)) && !hasWorkWord(text));
}

const narration =
  /^(?:(?:ok(?:ay)?|sure|great|now|first|next|then|alright|so|and)[,. ]{1,3}){0,2}(?:let me|let[’']s (?:see|look|check|start|take|run|try|find|first|now|begin|dig|dive)|i(?:[’']ll| will|[’']m going to| am going to|[’']m now|[’']m) (?:now |first |also |just |quickly |then )?(?:take|look|check|see|read|search|run|start|begin|try|open|explore|investigate|examine|go|have|continue|analy[sz]e|inspect|verify|review|find|grep|list|dig|get back|be)(?:ing)?)(?![\p{L}])|^(?:ok[,. ]{1,2}|gut[,. ]{1,2}|dann )?(?:ich (?:schaue?|sehe?|prüfe|gucke?|werfe|lese|starte|beginne|teste|melde|kümmere|fange|probiere|suche)|lass(?:en sie)? (?:mich|uns)|(?:dann )?schauen wir|ich werde (?:jetzt|mal|nun))(?![\p{L}])|^(?:好的?[，,。 ]?)?(?:我(?:先|来|來|去|这就|這就|马上|馬上|现在|現在|再|这边)|让我|讓我|先看|我们(?:先|来)看)|(?:見てみま(?:す|しょう)|見てみる|確認(?:し(?:てみ)?ます|してみる)|調べ(?:ます|てみます|てみる)|試し(?:ます|てみます)|やってみ(?:ます|る)|始めます|読んでみます|探します)[。！!]?$/iu;

/** Whether a unit only says what its speaker is about to do: `Let me take a look at the file first.` */
export function isNarration(text: string): boolean {
  return narration.test(text);
}
