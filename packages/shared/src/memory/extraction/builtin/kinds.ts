import { withoutIdioms } from './idioms.ts';
import { kindWordsElsewhere } from './kind-words.ts';

/** The kinds that extraction assigns (spec 20 M10). */
export const knownKinds = ['fact', 'preference', 'decision', 'constraint', 'working_note'] as const;

export type KnownKind = (typeof knownKinds)[number];
type CuedKind = Exclude<KnownKind, 'fact'>;

/**
 * Cues of `rules.v2` (spec 20 X3), in order of precedence: words of languages with spaces, and parts of text of languages without them.
 * A change of a list requires a new version of the extractor.
 */
const cues: readonly { kind: CuedKind; words: readonly string[]; parts: readonly string[] }[] = [
  {
    // Open work that the words of a decision or a rule deny or announce.
    kind: 'working_note',
    words: [
      "(?:not|never|n[’']t|yet to) (?:yet |been |be )?(?:decided?|chosen|agreed|settled)",
      'undecided',
      'to be (?:decided|defined|determined|agreed)',
      '(?:we|i|you|they) (?:still|also|then|just) (?:need|have|must)',
      '(?:we|i) (?:need|have) to',
      "next,? (?:i|we)(?:[’']ll| will| need| have| must| should)?",
      'still (?:has|needs?|have|must|missing|open|pending)',
      'noch nicht (?:entschieden|beschlossen|vereinbart|festgelegt)',
      '(?:muss|müssen|musst|müsst)(?: \\p{L}+){0,3} noch',
      'noch (?:\\p{L}+ ){0,4}(?:muss|müssen)',
      'il reste à',
      'falta(?:n)? (?!de)',
    ],
    parts: [
      '(?:还|還)(?:没|沒|未)(?:有)?(?:决定|決定|选|選|定)',
      '尚未(?:决定|決定|确定|確定)',
      '(?:还|還|仍)(?:需|要|得|须|須)',
      '(?:决ま|決ま|決め)(?:って|て)い(?:ない|ません)',
      '未定',
      'まだ[^。]{0,40}(?:ない|ません|ていな)',
    ],
  },
  {
    kind: 'constraint',
    words: [
      "must(?:n[’']t)?",
      "(?<!(?:was|were|has|have|had|[’']ve|been|would) )never(?! (?:\\p{L}+ed|was|were|been|had|mind|heard|seen|thought)(?!\\p{L}))",
      '(?<!not |no longer )(?:required|mandatory|compulsory)',
      'forbidden',
      'prohibited',
      'disallowed',
      "(?:not|isn[’']t|aren[’']t) (?:allowed|permitted|acceptable)",
      'only (?:\\p{L}+ ){1,6}(?:may|can|(?:is|are) (?:allowed|permitted))',
      '^no (?:[^ ]+ ){1,6}(?:is|are) (?:allowed|permitted|accepted)',
      '(?:may|can|must|should|is|are) only',
      '(?<!(?<!\\p{L})(?:you|i|we|it|this|that|they) )(?:may|should|shall) (?:not|never)',
      '(?:you|we|they) (?:may|should|shall) (?:not|never|always)',
      "(?:can(?:not|[’']t)|may not) (?:use|exceed|contain|store|share|deploy|be|have|leave|access|call|write|read|commit|push|run|send|include|depend)(?! wait)",
      '(?<!(?<!\\p{L})(?:i|we|you|they|still) )(?:ha(?:s|ve) to|needs? to) (?:be|\\p{L}+)',
      'you (?:need|have) to',
      'no (?:more|fewer|less|later) than',
      'at (?:most|least) \\d+',
      '(?:limited|restricted) to',
      'under no circumstances',
      'constraints?',
      '(?:^|[,;:] |please )always',
      "^(?:and |but |so )?(?:please )?(?:do not|don[’']t|avoid|make sure|ensure)(?! worry| know| think| get me| mind| care| understand| remember| panic| laugh| be (?:silly|shy|sad))",
      // German
      '(?<!(?<!\\p{L})(?:ich|wir|du|man) )(?:muss|müssen)',
      '(?:man|du|ihr) (?:muss|musst|müsst)',
      '(?:darf|dürfen|dürft|darfst)',
      'niemals',
      '(?<!(?<!\\p{L})(?:wurde|wurden|hat|haben|habe|war|waren|hatte|noch) (?:\\p{L}+ )?)nie(?! (?:gedacht|gesehen|gehört|mehr|wieder))',
      'verboten',
      'untersagt',
      '(?:nicht|kein\\p{L}*) (?:\\p{L}+ )?(?:erlaubt|gestattet|zulässig)',
      'nur (?:\\p{L}+ ){0,4}erlaubt',
      'unzulässig',
      'verpflichtend',
      'zwingend',
      'ausschließlich',
      '(?:höchstens|maximal|mindestens) \\d+',
      'auf keinen fall',
      'keinesfalls',
      '(?:soll|sollen|sollte|sollten) (?:\\p{L}+ ){0,3}(?:nicht|nie|kein\\p{L}*)',
      '(?:ist|sind) (?:immer |stets |unbedingt )?zu (?:be|ver|er|ein|an|aus|ab|prüf|nutz|lösch|speicher|schreib)\\p{L}*n',
      '^(?:bitte )?(?:nie |niemals |(?:ver|be|nutz|nimm|schreib|commit|push|lösch|änder|speicher|deploy|start|setz|mach|log)\\p{L}*(?: sie)? (?:\\p{L}+ ){0,3}(?:kein\\p{L}*|nicht|nie)(?!\\p{L}))',
      ...kindWordsElsewhere.constraint,
    ],
    parts: [
      '必须|必須|必需|务必|務必|不得(?![不了已])|禁止|严禁|嚴禁|不允许|不允許|不许|不許|不准|切勿|请勿|請勿|(?<!要)不要(?!紧|緊|脸|臉|担心|擔心|客气|客氣|急|着急|误会|太)',
      '(?<!我|我们|我們|也|能)不(?:能|可)(?![不够夠再]|能|思议|思議|否认)',
      '只(?:能|允许|允許|可以?)',
      '只有[^。]{1,20}(?:才)?(?:能|可以|可)',
      '(?:最多|至多|最少|至少|上限[为為是]?)[^。]{0,4}\\d',
      '不(?:得)?(?:超过|超過|低于|低於|少于|少於)',
      '(?:每|所有|任何|全部)[^。]{1,20}都?(?:要|应|應|需|须|須)(?!\\d)',
      '一律|應當|应当',
      'ては(?:いけ|なら|だめ|ダメ)|なければ(?:なら|いけ)|なくては(?:なら|いけ)|ないと(?:いけ|だめ)|ねばなら',
      '禁止|厳禁|必須|(?<!は)不可(?![欠能解])|必ず|義務',
      '(?:ない|しない)で(?:ください|下さい|くれ|ほしい)|(?:する|ない|にする)こと[。！!]?$|べき(?:だ|です|で)',
      '(?:最大|最低|最長|上限)[^。]{0,6}\\d|以内|までです|までとする|のみ(?:が|可|許可)|だけが',
      '許可(?:されていない|されません|しない)|認め(?:ない|ません|られ(?:ない|ません))',
      '(?:[かさたばまらわがざだ]れない|[せてべめげ]ない|[せてべめげ]ません)[。！!]?$',
      '해야 (?:합니다|한다)|하면 안|금지|필수|반드시|하지 마',
      // Thai
      'ห้าม|(?<!ถูก)ต้อง(?!การ)',
    ],
  },
  {
    kind: 'decision',
    words: [
      'decided',
      'decisions?',
      'decide (?:on|to|for)',
      'chose',
      'chosen',
      '(?:i|we|they|he|she|team) (?:picked|selected|approved|rejected|dropped|adopted|replaced|switched|moved)',
      'agreed(?! with)',
      'settled on',
      'opted for',
      'signed off',
      '(?:was|were|is|are|been|got) (?:approved|selected|picked|adopted|rejected|agreed)',
      'in favou?r of',
      '(?:go(?:ing|es)?|went) (?:with|for) (?!lunch|dinner|a )\\S+',
      "let[’']s (?:go with|use|stick|keep|switch|ship|drop|move|adopt|make)",
      '(?:stick|sticking|stay|staying) (?:with|on)',
      "(?:we|they)(?: are|[’']re) (?:dropping|moving|switching|migrating|replacing|adopting|removing|deprecating|keeping|standardi[sz]ing|retiring|ending|going to)",
      "(?:we|they)(?: will|[’']ll| won[’']t| shall) (?!see|be able|need|have to|probably)\\p{L}+",
      '(?<!(?<!\\p{L})(?:i|it|this|that|there|he|she|you) )will (?:not )?(?:use|return|support|run|store|send|keep|move|switch|replace|become|get|have|live|be (?:\\p{L}+ed|written|built|kept|sent|done))(?!\\p{L})',
      '(?:the|our) plan is to',
      'from now on',
      'no longer (?:support|use|maintain|accept)\\p{L}*',
      // German
      '(?:hat|haben|wurde|ist|wird|war|sich|uns|mich|wir|ich)(?: [^ ]+){0,10} (?:beschlossen|entschieden|vereinbart|geeinigt|festgelegt|ausgewählt|gewählt)',
      'beschlossen',
      'entschied(?:en)?',
      'entscheidung(?:en)?',
      'beschl(?:uss|üsse)',
      'vereinbart',
      'geeinigt',
      'festgelegt',
      'wir (?:nehmen|setzen|bleiben|verzichten|ersetzen|wechseln|migrieren|steigen|stellen|verschieben|streichen|behalten|entscheiden|unterstützen|führen|werden)(?! uns mal)',
      '(?:setzen|nehmen|verwenden|nutzen|unterstützen|wechseln|bleiben|verzichten) wir(?! (?:vielleicht|mal|noch))',
      '(?:künftig|zukünftig|in zukunft|ab sofort|von nun an)',
      '(?:die wahl|wahl) f(?:iel|ällt)',
      ...kindWordsElsewhere.decision,
    ],
    parts: [
      '决定(?!性|于|了吗|不了)|決定(?!性|於|的)|选择了?|選擇了?|选用|選用|选定|選定|采用|採用|商定|敲定|拍板|弃用|棄用|改用|(?:以后|以後|今后|今後|从现在起)(?:都|就|统一)?(?:用|使用|采用)|定为|定為|定下来|定下來|达成一致|達成一致|达成共识|一致同意|一致(?:决定|通过)',
      '(?<![不太])确定(?:由|用|使用|采用|为|在|以|把|将)|(?<![不太])確定(?:由|用|使用|採用|為)',
      '同意(?!你|您)|不再(?:支持|使用|维护|維護|提供|用)|统一(?:使用|用|采用|为|改)|統一(?:使用|用|採用|為)|(?:将|將)(?:会|會)?(?:使用|采用|採用|迁移|改为|用|由)|(?:换|換)成',
      '決め(?:た|まし|る)|決ま(?:った|りました)|ことに(?:した|しました|なった|なりました|する|します)|採用|合意|統一(?:する|します|した)|方針',
      '(?:に|へ)(?:移行|変更|切り替え|統合|置き換え)(?:する|します|した|しました|ます|る|た)|で(?:いく|いきます)|(?:終了|廃止)(?:する|します|した|しました)|やめ(?:る|ます|た|ました)(?=[。！!]?$)|見送(?:る|り)|(?:を|に)選(?:ん|び|択)',
      '결정|하기로|선택했|채택|합의',
      // Thai
      'ตัดสินใจ|ตกลง(?:ใช้|ว่า|กันว่า)|เลือกใช้',
    ],
  },
  {
    kind: 'preference',
    words: [
      'prefer(?:s|red|ences?)?',
      'likes',
      'dislikes',
      'favou?rites?',
      '(?:i|we|they) (?:really |also )?(?:like|love|enjoy|hate)',
      '(?:loves|enjoys|hates)',
      "(?:would|[’']d) (?:much )?(?:rather|prefer|like)",
      'rather have',
      '(?:user|customer|client|he|she|manager|boss)s? wants?',
      'please (?:keep|answer|reply|respond|write|be|give|explain|format|skip|stick|always|use)',
      '(?:is|am|are) (?:not )?(?:a |an )?(?:big )?(?:fans? of|fond of)',
      "(?:can[’']t|cannot) stand",
      // German
      'bevorzug(?:t|e|en|te)',
      'lieber',
      'am liebsten',
      'vorlieben?',
      'favorisier(?:t|e|en)',
      '(?:ich|er|sie|wir) (?:mag|mögen|liebe|liebt|hasse|hasst)',
      '\\p{L}+ (?:mag|hasst|liebt) (?:\\p{L}+)',
      'gefällt',
      'wünscht sich',
      'hätten? (?:\\p{L}+ ){0,3}gern(?:e)?',
      'bitte (?:\\p{L}+ ){0,2}(?:antwort|schreib|halte|verwend|nutz|benutz|fass|formulier|sprich|erklär|immer)\\p{L}*',
      ...kindWordsElsewhere.preference,
    ],
    parts: [
      '喜欢|喜歡|偏好|偏爱|偏愛|最爱|最愛|(?:更|比较|比較)?倾向于?|更傾向|更愿意|更願意|宁愿|寧願|习惯用|習慣用|讨厌|討厭',
      '(?:客户|客戶|用户|用戶|我|他|她|老板|领导|甲方|团队)们?希望',
      '^请(?:你)?(?:用|以|尽量|尽可能|简短|始终|一直|总是|保持)|^請(?:你)?(?:用|以|盡量|簡短|始終|保持)',
      '好み|好む|好き|嫌い|苦手|お気に入り|(?:て|が)(?:ほしい|欲しい)|を?希望(?:し|する)|を望(?:む|み|ん)',
      '선호|좋아|싫어',
    ],
  },
  {
    kind: 'working_note',
    words: [
      'next steps?',
      'to-do|todo',
      '(?<!(?:what|nothing|something|anything|how|where|when|have|has|had|having|much|little|lot|easy|hard|able|safe|free|ways?|reason|going|want|wants|need|needs|tried|tries|it) )to do',
      'remaining',
      'remains? (?:to|open|undone|unfinished)',
      'blocked',
      'blockers?',
      'fixme',
      'tbd',
      'wip',
      'still needs? to',
      'follow-ups?',
      'unfinished',
      'in progress',
      '(?:is|are|still) pending',
      '^pending',
      'pending (?:approval|review|decisions?|confirmation)',
      'outstanding',
      'on hold',
      'postponed',
      "(?:^|(?:is|are|am|[’']m|[’']re|[’']s|still) )waiting (?:for|on)",
      '(?:is|are) (?:still )?(?:missing|open|incomplete|unresolved)(?! (?:source|to))',
      "(?:not|n[’']t) (?:yet |been )*(?:done|implemented|finished|tested|covered|merged|deployed|ready|documented|fixed|started|migrated)(?: yet)?",
      'needs? (?:review|testing|work|fixing|a (?:fix|review|test|decision)|documentation)',
      '(?:left|remains) to (?:do|be)',
      'action items?',
      "(?:tomorrow|later|afterwards|then),? (?:i|we)(?:[’']ll| will)",
      "(?:i|we)(?:[’']ll| will) (?:[^.]{1,60} )?(?:next|tomorrow|later|afterwards)",
      // German
      'nächste[rn]? schritte?',
      'als nächstes',
      'offen (?:ist|sind|bleib\\p{L}*)',
      '(?:ist|sind|bleib(?:t|en)) (?:noch |weiterhin )?offen',
      'noch offen',
      'fehl(?:t|en)',
      'noch (?:nicht|kein\\p{L}*|zu)',
      'steh(?:t|en) (?:noch )?(?:aus|an)',
      'ausstehend\\p{L}*',
      'blockiert',
      'häng(?:t|en) (?:\\p{L}+ )?(?:an|von|bei)',
      'wart(?:et|en) (?:noch )?auf',
      'in arbeit',
      'unfertig\\p{L}*',
      'zu erledigen',
      'aufgaben?',
      ...kindWordsElsewhere.working_note,
    ],
    parts: [
      '下一步|待办|待辦|阻塞|剩余|剩餘|尚未|未完成|待处理|待處理|(?:还|還)(?:没|沒|差)|仍未|有待|待(?:确认|確認|定|补充|補充|测试|測試|修复|修復|完成)|卡在|(?:等待|等)[^。]{1,12}(?:审批|審批|确认|確認|回复|回復|通过|通過|审核)|接下来|接下來|暂未|暫未|未解决|未解決|遗留|遺留',
      'まだ|次は|次に|次の(?:ステップ|タスク|作業|課題)|残って|残り|残タスク|待ち|止まって|保留|未(?:完了|対応|実装|着手|解決|テスト)|必要が(?:ある|あります)|これから|(?:後|あと)で|対応中|作業中|予定(?:です|だ|[。]|$)|ブロックされ|課題',
      '다음 단계|남은|미완료|대기 중|아직',
    ],
  },
];

const patterns = cues.map(({ kind, words, parts }) => ({
  kind,
  pattern: new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])|${parts.join('|')}`,
    'iu',
  ),
}));

/** Index of the first cue in a text, in UTF-16 units; its length without one. */
export function cueIndex(text: string): number {
  const plain = withoutIdioms(text);
  const indexes = patterns.map(({ pattern }) => pattern.exec(plain)?.index ?? text.length);
  return Math.min(...indexes);
}

/** The kind of the first cue list that matches a text (spec 20 X3), or null. Figures of speech give no cue (spec 25 Q15). */
export function cuedKind(text: string): CuedKind | null {
  const plain = withoutIdioms(text);
  return patterns.find(({ pattern }) => pattern.test(plain))?.kind ?? null;
}
