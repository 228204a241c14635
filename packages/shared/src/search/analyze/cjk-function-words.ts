/**
 * Function words of Chinese, Japanese and Korean (spec 25 Q2): the stop words of languages whose words a query cannot tell apart.
 *
 * Source: the closed word classes that grammars of these languages name (Li and Thompson, "Mandarin Chinese", 1981; Makino and Tsutsui,
 * "A Dictionary of Basic Japanese Grammar", 1986; Sohn, "The Korean Language", 1999): interrogatives, pronouns and demonstratives,
 * particles, copula and auxiliary verbs with their polite endings, conjunctions and adverbs of degree. Only what is no part of common
 * content words is listed: `的` is not, because of `目的`.
 */
const chinese =
  `
在哪里 在哪儿 在哪 在哪裡 在哪裏 什么 甚么 怎么 怎样 怎么样 怎么办 如何 为什么 为何 为啥 是什么 有什么 什么样 什么时候 什么地方 时候 哪里 哪儿 哪些 哪个 哪种 哪一个 多少 多久
谁的 是谁 几个 是否 是不是 有没有 能不能 可不可以 可以 能否 可否 我们 你们 他们 她们 它们 咱们 大家 自己 我的 你的 他的 这个 那个 这些 那些
这里 那里 这样 那样 这么 那么 现在 目前 应该 应当 需要 必须 想要 请问 请帮我 帮我 帮忙 告诉我 知道 一下 一个 一些 因为 所以 但是 可是 如果 虽然
然后 还是 或者 以及 而且 并且 不过 已经 正在 曾经 还有 就是 都是 不是 没有 对于 关于 根据 按照 通过 之后 之前 以后 以前 非常 比较 吗 呢 吧 啊 呀 嘛
什麼 甚麼 怎麼 怎樣 怎麼樣 如何 為什麼 為何 是什麼 有什麼 什麼樣 什麼時候 時候 哪裡 哪裏 哪兒 哪個 哪種 誰的 是誰 幾個 能不能 我們 你們 他們 她們 它們
這個 那個 這些 這裡 那裡 這樣 那樣 這麼 那麼 現在 應該 應當 請問 請幫我 幫我 告訴我 一個 因為 所以 雖然 然後 還是 並且 不過 已經 還有 沒有 對於 關於 根據
按照 通過 之後 之前 以後 比較 嗎
`.match(/\S+/g) ?? [];

const japanese =
  `
ですか でしょうか ますか ませんか ました ましたか ません ます です でした だった である ください 下さい しますか しています していますか していますが します
しました しましたか しません される されます されますか されました されている されています している できますか できます できません できる できない ですが ますが
なりますか なります なりました なる ありますか あります ありません ある ない いますか います いません いる という といった ということ について に関する に関して
において における によって による に対して に対する として ための ために ような ように のような のように どのように どのような どうやって どうすれば どうしたら どう
どこ どこで どこに いつ いつから いつまで いくつ いくら だれ だれが だれに なぜ なに なんで どれ どの どちら どんな これ それ あれ この その あの ここ そこ
こと もの とき ところ ので のに から まで より だけ など でも しかし また そして または および かつ もし たら れば では には とは へは からは までは での への からの
までの か？ のは のが のを のか かを かは がありますか はありますか がある はある 教えて 教えてください は何ですか とは何ですか 何ですか 何が 何を 何の 何で 誰が 誰に
誰を 誰の 私たち 我々 必要ですか
`.match(/\S+/g) ?? [];

const korean =
  `
언제 어디 어디서 어디에 어디에서 무엇 무엇을 무엇이 무엇인가요 뭐 뭘 누가 누구 누구를 누구의 누구에게 왜 어떻게 어떤 어느 얼마 얼마나 몇 무슨 우리 우리는 우리가 우리의 저는
제가 나는 내가 당신 그것 이것 저것 이 그 저 것 수 등 및 또는 그리고 그러나 하지만 그래서 그런데 만약 있나요 있습니까 있어요 있습니다 있는 없나요 없습니까 없습니다 없는 인가요
입니까 입니다 되나요 됩니까 됩니다 되는 하나요 합니까 합니다 하는 해야 해야하나요 합니다만 주세요 알려주세요 알려줘 대해 대한 대해서 위해 위한 따라 통해 때 때문 때문에 지금
현재 너무 매우 아주 다시 모든 각
`.match(/\S+/g) ?? [];

/** Endings of a Korean word, longest first: verb endings after a noun, then particles. */
const koreanEndings = (
  `
했습니까 했습니다 했나요 했어요 했는지 하였습니다 하겠습니다 합니까 합니다 하나요 하는지 하는가 하려면 하도록 하면서 하지만 하세요 하십시오 해야 해요 하는 하고 하면 하기 한다 할까요 할까 할지
됩니까 됩니다 되나요 되었나요 되었습니다 됐나요 됐습니다 되는지 되는 되고 되면 된다 인가요 입니까 입니다 이에요 예요 이었습니다 이라는 이란 라는 인지 인가 나요
까지 부터 에서는 에서의 에서 에게서 에게 에는 에도 으로는 으로의 으로 로는 로의 처럼 보다 마다 조차 밖에 이나 이랑 이라도 라도 만큼 들은 들이 들을 들의 들
은 는 이 가 을 를 에 의 도 로 와 과 만 나 랑
`.match(/\S+/g) ?? []
).toSorted((left, right) => right.length - left.length);

/** A particle after a stem of one character would leave too little to find. */
const minKoreanStem = 2;

/** Function words by their first character, the longest first. */
const wordsByFirst = new Map<string, string[][]>();
for (const word of [...chinese, ...japanese].toSorted((left, right) => right.length - left.length)) {
  const [first = ''] = word;
  wordsByFirst.set(first, [...(wordsByFirst.get(first) ?? []), [...word]]);
}
const koreanWords = new Set(korean);

const hangul = /^\p{sc=Hang}+$/u;
const han = /\p{sc=Han}/u;
const hiragana = /^\p{sc=Hira}$/u;
/** Particles of Japanese between two words, and of Chinese after one. */
const particles = new Set([...'はがをにでとのもへや的了']);
/** Characters that are function words where they stand by themselves. */
const singles = new Set([
  ...'我你他她它您谁誰几幾这這那哪是在有和与與或就都也很不没沒吗嗎呢吧啊把被对對从從向到让讓给給请請能会會要可想何私',
]);
/** Words in which `的` and `了` are no particles. */
const withParticle = new Set([
  '目的',
  '标的',
  '標的',
  '的确',
  '的確',
  '了解',
  '了結',
  '了结',
  '为了',
  '為了',
  '除了',
]);

/**
 * The pieces of a run of Han, Kana and Hangul that function words leave, in order: `什么时候部署` gives `部署`, and `배포하나요` gives
 * `배포`. None for a run of function words.
 */
export function contentPieces(characters: readonly string[]): string[][] {
  const run = characters.join('');
  if (hangul.test(run)) return koreanPieces(run);
  const pieces: string[][] = [];
  let piece: string[] = [];
  const end = (): void => {
    if (piece.length > 0) pieces.push(piece);
    piece = [];
  };
  for (let at = 0; at < characters.length; ) {
    const length = functionWordAt(characters, at);
    if (length === 0) piece.push(characters[at] ?? '');
    else end();
    at += Math.max(1, length);
  }
  end();
  return pieces.flatMap(splitAtParticles);
}

/** The length of the longest function word that begins at a place; 0 if none does. */
function functionWordAt(characters: readonly string[], at: number): number {
  for (const word of wordsByFirst.get(characters[at] ?? '') ?? []) {
    const isHere = word.every((character, place) => characters[at + place] === character);
    // A word of Hiragana inside longer Hiragana is part of another word: `いる` in `はいる`.
    if (isHere && !(word.length < 3 && isInsideHiragana(characters, at, word.length))) return word.length;
  }
  return 0;
}

function isInsideHiragana(characters: readonly string[], at: number, length: number): boolean {
  const isHiragana = (place: number): boolean => hiragana.test(characters[place] ?? '');
  if (!isHiragana(at)) return false;
  const before = characters[at - 1] ?? '';
  return (
    (isHiragana(at - 1) && !particles.has(before)) ||
    (isHiragana(at + length) && !particles.has(characters[at + length] ?? ''))
  );
}

/** Cuts a piece at particles that stand beside another script, and drops a piece of particles. */
function splitAtParticles(piece: string[]): string[][] {
  const isParticle = (at: number): boolean => {
    const character = piece[at] ?? '';
    if (!particles.has(character)) return false;
    const [before, after] = [piece[at - 1] ?? '', piece[at + 1] ?? ''];
    if (withParticle.has(before + character) || withParticle.has(character + after)) return false;
    if (han.test(character)) return true;
    return piece.length === 1 || isOtherScript(before) || isOtherScript(after);
  };
  const pieces: string[][] = [[]];
  for (const [at, character] of piece.entries()) {
    if (isParticle(at)) pieces.push([]);
    else pieces.at(-1)?.push(character);
  }
  return pieces.filter(([first = '', ...others]) => first !== '' && (others.length > 0 || isContent(first)));
}

function isOtherScript(character: string): boolean {
  return character !== '' && !hiragana.test(character);
}

function isContent(character: string): boolean {
  return !hiragana.test(character) && !singles.has(character);
}

function koreanPieces(run: string): string[][] {
  if (koreanWords.has(run)) return [];
  const ending = koreanEndings.find(
    (each) => run.length - each.length >= minKoreanStem && run.endsWith(each),
  );
  const stem = ending === undefined ? run : run.slice(0, -ending.length);
  return koreanWords.has(stem) ? [] : [[...stem]];
}
