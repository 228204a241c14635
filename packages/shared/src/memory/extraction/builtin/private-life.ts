import type { KnownKind } from './kinds.ts';
import { privateWordsElsewhere } from './private-words.ts';
import { hasNumber, hasWorkWord } from './work-words.ts';

/**
 * Recognizes small talk about private life (spec 25 Q15). Words alone do not tell it: a project may be about concerts, doctors, buses
 * or meals. A unit is private if somebody tells it about themselves, or says how something was today.
 */

/** Meals, weather, family, tiredness and leisure: as a taste of the first person they are private too. */
const everyday = new RegExp(
  [
    '(?<![\\p{L}])(?:lunch|dinner|breakfast|brunch|pizza|burgers?|sushi|coffee|tea|cake|beer|wine|snacks?|hungry|thirsty|ate|eat(?:en|ing)?|delicious|tasty|weather|rain(?:y|ing)?|sunny|sunshine|snow(?:ing)?|daughter|son|wife|husband|kids?|mom|mum|dad|mother|father|sister|brother|grandma|girlfriend|boyfriend|birthday|wedding|weekend|holidays?|vacation|movies?|football|soccer|gym|tired|sleepy|slept|sick|headache|beach|hik(?:e|ing)|netflix|meme|joke|funny|hilarious)(?![\\p{L}])',
    '(?<![\\p{L}])(?:mittagessen|abendessen|frühstück|essen|gegessen|lecker|hunger|kaffee|kuchen|bier|wein|wetter|regen|regnet|sonnig|sonne|schnee|schneit|tochter|sohn|frau|mann|kinder|mutter|vater|schwester|bruder|oma|opa|geburtstag|hochzeit|wochenende|urlaub|ferien|kino|fußball|müde|geschlafen|krank|kopfschmerzen|strand|lustig|witzig)(?![\\p{L}])',
    '午饭|午餐|晚饭|晚餐|早饭|早餐|吃|火锅|咖啡|奶茶|蛋糕|啤酒|饿|天气|下雨|下雪|晴天|女儿|儿子|老婆|老公|妻子|丈夫|孩子|爸|妈|姐姐|哥哥|妹妹|弟弟|生日|婚礼|周末|假期|放假|旅游|足球|健身|好累|很累|困了|睡|感冒|生病|头疼|好笑|笑死',
    'ランチ|お昼|昼食|昼ご飯|夕食|晩ご飯|朝食|朝ご飯|ラーメン|寿司|コーヒー|ケーキ|ビール|食べ|飲みに|飲み会|美味し|おいし|お腹|天気|雨が|雪が|晴れ|娘|息子|妻|夫(?!人|婦)|子供|子ども|母(?![国数体集])|父(?!母会)|姉|兄|妹|弟|誕生日|結婚|週末|休暇|旅行|サッカー|野球|ジム|疲れ|眠|風邪|頭痛|笑',
  ].join('|'),
  'iu',
);

/** What private talk and the work of some projects are both about. */
const either = new RegExp(
  [
    '(?<![\\p{L}])(?:film|match|party|concert|dentist|doctor|traffic|commute|bus|train|bike|dog|cat|puppy|garden|game)(?![\\p{L}])',
    '(?<![\\p{L}])(?:film|spiel|feier|party|konzert|zahnarzt|arzt|stau|zug|bahn|bus|fahrrad|hund|katze|garten)(?![\\p{L}])',
    '旅行|电影|球赛|聚会|演唱会|牙医|医生|堵车|地铁|公交|狗|猫|有意思',
    '休み|映画|試合|パーティ|コンサート|病気|歯医者|医者|渋滞|電車|バス|犬|猫|面白|楽し',
  ].join('|'),
  'iu',
);

/** What people do in their free time, whoever does it. Behind a decision (`We are going to the beach.`) it is none of a project. */
const activity = new RegExp(
  [
    '(?<![\\p{L}])(?:(?:for|to|at|after|over) (?:a |some )?(?:lunch|dinner|breakfast|brunch|beers?|drinks|coffee|ice cream)|(?:ha(?:ve|d|s|ving)|ate|eat(?:ing)?|gr?ab(?:bed|bing)?|order(?:ed|ing)?|drank|drink(?:ing)?) (?:\\p{L}+ ){0,3}(?:lunch|dinner|breakfast|brunch|pizza|burgers?|sushi|coffee|tea|cake|beers?|wine|snacks?|drinks)|(?:go(?:ing|es)?|went|been|off|back) (?:to|from|at) (?:the |a )?(?:cinema|movies|beach|gym|pub|bar|concert|dentist|doctor|restaurant|match|game|party))(?![\\p{L}])(?! (?:menu|page|order|list|plan|shift)s?)',
    '(?<![\\p{L}])(?:(?:zum|beim|nach dem) (?:mittagessen|abendessen|frühstück|essen|bier|kaffee|arzt|zahnarzt|sport)|(?:ins|im) (?:kino|konzert|restaurant|bett)|an den strand|in den urlaub|in die kantine|(?:pizza|kuchen|sushi|eis|döner) (?:\\p{L}+ ){0,2}(?:essen|gegessen|bestell\\p{L}*))(?![\\p{L}])',
    '(?:中午|晚上|一起|去)(?:\\p{sc=Han}{0,2})(?:吃|喝|玩)|吃了|喝了|去(?:看电影|健身|逛街|旅游)|看了(?:电影|球赛|演唱会)|想(?:吃|喝|睡)|好饿|没带伞',
    '(?:を|に)(?:食べ|飲み)(?:に)?(?:た|まし|ます|に行|て)|飲みに行|が(?:食べ|飲み)たい|お腹が(?:空|すい)|(?:映画|コンサート|試合|ジム|歯医者|医者|病院)(?:を見に|を観に|に行|へ行)',
  ].join('|'),
  'iu',
);

/** The first person, or somebody of their family. Japanese names its own family without a pronoun. */
const self = new RegExp(
  [
    "(?<![\\p{L}])(?:i|i[’'](?:m|ve|d|ll)|my|me|myself|mine)(?![\\p{L}])",
    '(?<![\\p{L}])(?:ich|mein\\p{L}{0,2}|mir|mich|bin)(?![\\p{L}])',
    '我(?![们們方司])|老婆|老公|咱',
    '(?<!\\p{sc=Han})(?:私|僕|俺)|うちの|(?<!\\p{sc=Han})(?:娘|息子|妻|夫|母|父|姉|兄|妹|弟)(?:[がはとのにも])',
  ].join('|'),
  'iu',
);

/** A day that is over soon, and praise or complaint: `The concert yesterday was amazing.` */
const passing = new RegExp(
  [
    '(?<![\\p{L}])(?:today|tonight|yesterday|last night|this (?:morning|afternoon|evening|weekend)|right now|again|lovely|amazing|awful|terrible|horrible|great|awesome|fantastic|delicious|tasty|beautiful|wonderful|fun|funny|hilarious|boring|exhausted|so (?:good|bad|tired|hungry|cold|hot))(?![\\p{L}])',
    '(?<![\\p{L}])(?:heute|gestern|gerade|wieder|heut|abends|morgen früh|schön\\p{L}*|toll\\p{L}*|super|großartig\\p{L}*|furchtbar\\p{L}*|schrecklich\\p{L}*|lecker\\p{L}*|lustig\\p{L}*|herrlich\\p{L}*|langweilig\\p{L}*)(?![\\p{L}])',
    '今天|昨天|昨晚|今晚|刚才|刚刚|周末|太[^，。]{1,6}了|真(?:不错|好|是)|好(?:吃|喝|看|玩|累|困|饿|冷|热)|有意思|开心',
    '今日|昨日|昨夜|今朝|今夜|さっき|週末|ですね|だね|面白|楽し|美味し|おいし|最高|最悪|疲れ',
  ].join('|'),
  'iu',
);

const firstPerson =
  /^(?:(?:well|so|and|but|today|yesterday|btw)[, ]{1,2})*(?:i|i[’'](?:m|ve|d|ll)|my|we had|me)(?![\p{L}])|^(?:ich|mein\p{L}{0,2}|bin|hab(?:e)?|mir)(?![\p{L}])|^(?:今天|昨天|刚才)?我(?!们|方|司|們)|^(?:昨日|今日|今朝)?(?:私|僕|俺|うち)(?:は|の|も)/iu;

/** Comments on what was said or seen: `That is great.`, `It works.` */
const comment =
  /^(?:that|this|it|these|those)(?:[’']s| is| was| looks?| sounds?| seems?| feels?| makes?| works?| worked| did)(?![\p{L}])(?: \S+){0,5}[.!]?$|^(?:das|es|dies) (?:ist|war|klingt|sieht|wirkt|passt|geht|funktioniert)(?![\p{L}])(?: \S+){0,5}[.!]?$|^(?:那|这|這)(?:真|太|很|挺|个很|就)[^，。]{0,8}[。！!]?$|^(?:それ|これ)は[^、。]{0,8}(?:です|だ)ね[。！!]?$/iu;

/**
 * Whether a unit is private talk, and so matters to no later work. A word of work shows that it is not. A constraint never is; a
 * decision is if it is about free time, a preference also if it is a taste of the first person. Facts and notes are if the first person
 * or a passing mood is told, and facts if they only comment on something.
 */
export function isPrivate(text: string, kind: KnownKind): boolean {
  if (kind === 'constraint' || hasWorkWord(text)) return false;
  if (activity.test(text)) return true;
  if (kind === 'decision') return false;
  if (isPrivateElsewhere(text, kind)) return true;
  if (kind === 'preference') return everyday.test(text) && self.test(text);
  if (everyday.test(text) || either.test(text))
    return self.test(text) || (passing.test(text) && !hasNumber(text));
  return kind === 'fact' && !hasNumber(text) && (firstPerson.test(text) || comment.test(text));
}

/** A narrower rule for a fact, a note or a preference in one of the other languages, where fewer words of work are known. */
function isPrivateElsewhere(text: string, kind: KnownKind): boolean {
  return privateWordsElsewhere.some((words) => {
    const isPassing = kind !== 'preference' && words.passing.test(text) && !hasNumber(text);
    return words.own.test(text) ? isPassing || words.self.test(text) : isPassing && words.everyday.test(text);
  });
}
