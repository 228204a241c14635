import { cuedKind, type KnownKind } from './kinds.ts';
import { purposeLead } from './line-forms.ts';

/** Words before the noun that leave its meaning: `Architecture decisions`. Any other can turn it around: `Deferred decisions`. */
const english =
  "architecture|architectural|technical|tech|engineering|implementation|infrastructure|security|design|product|project|business|strategic|organi[sz]ational|team|board|committee|meeting|release|api|data|database|backend|frontend|ui|ux|key|main|major|important|core|final|binding|agreed|accepted|approved|confirmed|made|current|new|recent|further|other|all|the|our|these|today[’']s|sprint|daily|weekly|monthly|quarterly|q[1-4]|h[12]|20\\d\\d|this week[’']s|sprint planning|planning|retro|retrospective|stand-?up|workshop|kick-?off|call|group|management|leadership|steering|council|working group|platform|mobile|web|infra|qa|ops|devops|legal|budget|hiring|pricing|naming|process|scope|roadmap";
const german =
  'getroffene|gefasste|wichtige|wichtigste|zentrale|endgültige|finale|verbindliche|angenommene|bestätigte|technische|fachliche|organisatorische|strategische|neue|weitere|alle|die|unsere|heutige';
const germanCompound =
  '(?:architektur|projekt|team|sprint|design|produkt|technik|technologie|grundsatz|vorstands|gremien|kunden|release|meeting|personal|budget|prozess)[s]?-?';
/** What a list is from, or about, behind its name: `Decisions of the week`. What is still to be settled is none: `Decisions for later`. */
const unsettledTail =
  '(?!(?:the )?(?:later|hold|progress|draft|question|discussion|future|tomorrow|next|approval|voting|vote|consideration|past|default|agenda|review(?! of)|table|backlog|risk|später|abstimmung|diskussion|freigabe|klärung|beratung)(?!\\p{L}))';
const tail = (prepositions: string) =>
  `(?: (?:${prepositions})(?: ${unsettledTail}[\\p{L}\\d][^,;()]{0,39})?)?`;
const chinese =
  '(?:本次|今日|今天|本周|本週|本月|上周|最终|最終|主要|重要|关键|關鍵|全部)?(?:会议|會議|例会|评审|架构|架構|技术|技術|设计|設計|产品|產品|项目|專案|团队|團隊)?的?';
const japanese =
  '(?:(?:今回|今日|本日|今週|今月|会議|ミーティング|打ち合わせ|チーム|技術|設計|スプリント|アーキテクチャ)(?:的な|上の|の|における)?|主な){0,2}';
const qualified = (words: string, nouns: string) => `(?:(?:${words}) ){0,2}(?:${nouns})`;

/** Names of sections and labels, by the kind of the items below them (spec 25 Q14). */
const names: Record<KnownKind, string> = {
  decision: `${qualified(english, 'decisions?')}(?: (?:made|taken|agreed|reached))?(?: (?:so far|today|yesterday|this (?:week|sprint|month)))?${tail('of|from|in|at|during|by|on|for|about|regarding')}|decided|decision log|agreed|agreements?|resolutions?|outcome of the vote|what we decided
${qualified(german, `(?:${germanCompound})?(?:entscheidung(?:en)?|beschl[uü]ss(?:e)?|festlegung(?:en)?|vereinbarung(?:en)?)`)}${tail('der|des|vom|von|im|in|aus|am|beim|zum|zur|für|über')}|beschlossen
décisions?(?: (?:prises?|validées?|techniques?))?(?: (?:d(?:u|e|es|e la) |(?:de l|d)['’])[^,;()]{1,39})?|decisiones(?: (?:tomadas|acordadas|técnicas))?(?: (?:del?|en) [^,;()]{1,39})?|acuerdos(?: (?:del?|en) [^,;()]{1,39})?|decisões(?: (?:tomadas|técnicas))?(?: d[aeo]s? [^,;()]{1,39})?|decisioni(?: (?:prese|tecniche))?(?: d(?:el|ella|ello|ei|i) [^,;()]{1,39})?|(?:genomen )?(?:besluiten|beslissingen)(?: van [^,;()]{1,39})?|decisión|decisão|decisione|besluit|beslissing|decyzja|karar|beslut|beslutninger|vedtak|päätökset|döntések|határozatok|decizii(?: luate)?|рішення|(?:các )?quyết định|keputusan|มติ(?:ที่ประชุม)?|ข้อสรุป|การตัดสินใจ|تصمیمات
(?:podjęte )?decyzje|ustalenia|rozhodnutí|(?:alınan )?kararlar|(?:принятые )?решения|решили|αποφάσεις
${chinese}(?:决定|決定|决策|決策|决议|決議)|结论与决定|${japanese}(?:決定事項|決定|決まったこと|合意事項)|결정(?: ?사항)?|ال?قرارات|قرارات|החלטות|(?:लिए गए )?(?:निर्णय|फ़ैसले|फैसले)`,
  constraint: `constraints?|rules?|requirements?|restrictions?|guardrails?|policies|policy|limits?|limitations?|must|must nots?|never|non-negotiables?|invariants|do nots?|don['’]ts
regeln?|vorgaben?|anforderung(?:en)?|einschränkung(?:en)?|bedingung(?:en)?|verbote?|grenzen|contraintes|règles|exigences|interdits|restricciones|reglas|requisitos|restrições|regras|regole|vincoli|requisiti|regels|eisen|beperkingen|contrainte|règle|exigence|restricción|regla|requisito|restrição|regra|regola|vincolo|regel|beperking|ograniczenie|zasada|kural|krav|begränsningar|begrænsninger|begrensninger|säännöt|vaatimukset|rajoitukset|szabályok|követelmények|korlátozások|reguli|cerințe|constrângeri|restricții|обмеження|вимоги|(?:các )?(?:quy tắc|ràng buộc|yêu cầu|hạn chế)|aturan|batasan|persyaratan|larangan|ข้อกำหนด|ข้อจำกัด|ข้อห้าม|กฎ
ograniczenia|zasady|wymagania|omezení|pravidla|požadavky|kısıtlamalar|kurallar|gereksinimler|περιορισμοί|κανόνες|απαιτήσεις
القيود|قيود|القواعد|قواعد|المتطلبات|متطلبات|מגבלות|כללים|דרישות|बाधाएँ|सीमाएँ|नियम|आवश्यकताएँ
约束|約束|约束条件|规则|規則|要求|限制|禁止事项|注意事项|制約|制約事項|制約条件|ルール|要件|禁止事項|규칙|제약(?: ?사항)?|요구 ?사항|правила|ограничения|требования`,
  preference: `preferences?|likes|dislikes|likes and dislikes|style preferences?|vorlieben|präferenzen|wünsche|préférences|preferencias|preferências|preferenze|voorkeuren|preferencje|tercihler|προτιμήσεις|préférence|preferencia|preferência|preferenza|voorkeur|preferencja|tercih|preferenser|önskemål|præferencer|preferanser|ønsker|mieltymykset|toiveet|preferințe|уподобання|побажання|sở thích|mong muốn|preferensi|ความชอบ|التفضيلات|تفضيلات|העדפות|पसंद|प्राथमिकताएँ
偏好|喜好|个人偏好|好み|希望|선호(?: ?사항)?|предпочтения`,
  working_note: `to-?dos?|to do|next|next steps?${tail('for|from|until|by|in')}|next actions?|open|open (?:items?|issues?|points?|questions?|tasks?|work|threads?)${tail('for|from|on|in|about|of')}|action items?(?: (?:for|from|until|by)(?: [^,;()]{1,39})?)?|actions?|tasks?|remaining(?: work| tasks?)?|follow[- ]?ups?|backlog|blockers?|blocked|in progress|wip|unfinished|pending|outstanding|left to do|still to do|(?:open|pending|outstanding) decisions?
offen|zu (?:klären|entscheiden|besprechen)|klärungsbedarf|to (?:clarify|discuss|decide)|(?:offene|ausstehende) (?:punkte|fragen|aufgaben|themen|arbeiten|entscheidungen|beschlüsse|tickets)|nächste schritte${tail('für|bis|im|in|aus')}|aufgaben|ausstehend|noch zu tun|zu erledigen|blocker|maßnahmen
prochaines (?:étapes|actions)|(?:points?|questions?|sujets?) ouverte?s?|tâches|(?:reste )?à faire|próximos pasos|tareas(?: pendientes)?(?: (?:del?|para) [^,;()]{1,39})?|(?:puntos|temas|preguntas) (?:abiert|pendient)[oae]s|pendientes|por hacer
próximos passos|pendências|tarefas|pontos em aberto|prossimi passi|da fare|punti aperti|attività|actiepunten|acties|openstaande (?:punten|vragen|acties|taken|zaken|besluiten)|volgende stappen|te doen|tâche|tarea|tarefa|compito|taak|actiepunt|zadanie|görev|att göra|uppgifter|nästa steg|öppna (?:frågor|punkter)|åtgärder|opgaver|næste skridt|åbne (?:punkter|spørgsmål)|oppgaver|neste steg|åpne (?:punkter|spørsmål)|å gjøre|tehtävät|seuraavat (?:vaiheet|askeleet)|avoimet (?:kysymykset|asiat)|teendők|feladatok|következő lépések|nyitott kérdések|de făcut|sarcini|următorii pași|întrebări deschise
завдання|наступні кроки|відкриті питання|(?:các )?(?:việc cần làm|nhiệm vụ|bước tiếp theo|vấn đề còn mở)|tugas|langkah (?:selanjutnya|berikutnya)|tindak lanjut|pertanyaan terbuka|งานที่ต้องทำ|สิ่งที่ต้องทำ|ขั้นตอนถัดไป|งานค้าง
(?:następne|kolejne|dalsze) kroki|zadania|do zrobienia|otwarte (?:kwestie|pytania|punkty|sprawy|zadania|tematy)|další kroky|úkoly|otevřené (?:otázky|body|úkoly|problémy)|yapılacaklar|sonraki adımlar|görevler|açık (?:konular|sorular)|επόμενα βήματα|εκκρεμότητες|ανοιχτά (?:θέματα|ζητήματα|ερωτήματα)
待办|待辦|待办事项|待辦事項|(?:本次|本周|下周)?(?:会议|项目|团队|后续|剩余)?待办(?:事项)?|下一步(?:计划|工作)?|后续|后续工作|后续事项|未完成|遗留问题|待解决|任务|阻塞|次のステップ|次にやること|残タスク|残課題|課題|やること|タスク|未完了|宿題|다음 단계|할 일|남은 작업|следующие шаги|задачи|осталось|план действий|открытые (?:вопросы|задачи|пункты|темы)
الخطوات (?:التالية|القادمة)|المهام|مهام|(?:النقاط|الأسئلة) المفتوحة|أسئلة مفتوحة|משימות|(?:ה)?צעדים הבאים|שאלות פתוחות|अगले कदम|कार्य|काम बाकी|खुले (?:प्रश्न|मुद्दे)`,
  fact: `facts?|key facts|findings?|results?|notes? and facts|good to know|learned|learnings|root causes?|causes?
fakten|erkenntnisse|ergebnisse?|ursachen?|faits|hechos|fatos|事实|事實|发现|发现的问题|原因|结果|事実|判明したこと|分かったこと|結果|사실|факты`,
};

const patterns = Object.entries(names).map(([kind, list]) => ({
  kind: kind as KnownKind,
  pattern: new RegExp(`^(?:${list.split('\n').join('|')})$`, 'iu'),
}));

/** Longest name of a section, in characters. */
const maxName = 60;

/** `II.`, `B)`, `（二）`, `一、` before a name. Other numbers are no letters. */
const ordinal = /^(?:(?:[ivx]{1,4}|[a-z])[.)]\s+|[一二三四五六七八九十]{1,3}[)\uFF09、\uFF0E.\uFF1A:]\s*)/iu;

/** A remark behind a name: `Next steps (until Friday)`. */
const remark = /\s*(?:\([^()]{0,40}\)|\uFF08[^\uFF08\uFF09]{0,40}\uFF09|\[[^[\]]{0,40}\])$/u;

/** Remarks that negate a name: `Decisions (rejected)`. `(open)` does not negate that of open work. */
const cancelling =
  /(?<!\p{L})(?:reject|declin|deprecat|supersed|obsolete|cancel|withdrawn|revoked|reverted|overruled|outdated|draft|proposed|propos|deferred|postponed|not |no longer|old(?!\p{L})|former|done(?!\p{L})|abgelehnt|verworfen|vertagt|überholt|veraltet|vorgeschlagen|entwurf|erledigt|zurückgezogen|aufgehoben|rejet|annul|abandon|report[ée]|rechaz|descart|aplaz|отклон|отмен|отлож)|否决|取消|废弃|作废|撤销|推迟|提案|却下|見送り|撤回/iu;
const unsettled =
  /(?<!\p{L})(?:open|pending|outstanding|to be|tbd|todo|offen|ausstehend|en attente|pendient)(?!\p{L}{3})|待定|未定|未决|未決|保留/iu;

/**
 * The kind that the name of a section or a label tells; null for any other name. Ignores emphasis, brackets, numbers, emoji, a last
 * colon and a last remark in parentheses, unless the remark says that it is not so: `Decisions (rejected)`.
 */
export function kindOfName(name: string): KnownKind | null {
  const whole = plainName(name);
  const said = remark.exec(whole)?.[0] ?? '';
  if (cancelling.test(said)) return null;
  const bare = bareName(whole.replace(remark, ''));
  if (bare.length > maxName) return null;
  const kind = kindOf(bare) ?? kindOfPart(bare);
  if (kind === 'decision' && saysUnsettled(bare)) return null;
  return kind !== 'working_note' && unsettled.test(said) ? null : kind;
}

/** Whether a remark says that something is open, or not so: `rejected`, `pending`. */
export function saysUnsettled(remarked: string): boolean {
  return cancelling.test(remarked) || unsettled.test(remarked);
}

function plainName(name: string): string {
  return name
    .slice(0, 3 * maxName)
    .replace(/[*_`#]/g, '')
    .replace(/[\s:\uFF1A]+$/u, '')
    .trim();
}

function bareName(name: string): string {
  return name
    .replace(/^[^\p{L}]+/u, '')
    .replace(ordinal, '')
    .replace(/[^\p{L}\p{M}]+$/u, '');
}

function kindOf(bare: string): KnownKind | null {
  return patterns.find(({ pattern }) => pattern.test(bare))?.kind ?? null;
}

/** The kind of a name beside a dash: `Sprint 12 – Decisions`. Two kinds are none. */
function kindOfPart(name: string): KnownKind | null {
  const parts = name.split(/ [–—|-] /, 3);
  if (parts.length !== 2) return null;
  const kinds = parts.map((part) => kindOf(bareName(part))).filter((kind) => kind !== null);
  return kinds.length === 1 ? (kinds[0] ?? null) : null;
}

/** Names whose items say the contrary of what they mean without it. */
const contrary = new RegExp(
  `^(?:${`removed|deprecated|deprecations?|dropped|discontinued|no longer supported|unsupported|not supported|out[- ]of[- ]scope|not in scope|non-?goals?|no goals|exclusions?|excluded|not included|discarded|alternatives?|(?:considered|discarded) (?:alternatives|options)|(?:alternatives|options) considered|won[’']t (?:do|fix|have|be done)|do(?:es)? nots?|don[’']ts?|must nots?|never|not allowed|disallowed|forbidden|prohibited|not permitted|dislikes|avoid|anti-?patterns?|not doing|reverted|reversed|rolled back|failed (?:attempts|experiments)|what (?:did not|didn[’']t) work
(?:rejected|declined|deprecated|superseded|obsolete|cancel?led|withdrawn|revoked|reverted|overruled|outdated|deferred|postponed|discarded|dropped|failed)(?: \\p{L}+){0,2}
entfernt|veraltet|gestrichen|entfallen|entfällt|nicht im (?:scope|umfang)|außerhalb des (?:scopes?|umfangs)|nicht[- ]?ziele|ausgeschlossen|abgelehnt|verworfen|vertagt|verbote?|verboten|nicht erlaubt|nicht unterstützt|(?:betrachtete |verworfene )?alternativen|abneigungen|vermeiden
(?:verworfene|abgelehnte|vertagte|veraltete|gestrichene|überholte|zurückgestellte|aufgehobene)(?: \\p{L}+){0,2}
supprimée?s?|hors (?:périmètre|sujet|scope)|interdits?|abandonnée?s?|rejetée?s?|non-objectifs|à éviter|(?:décisions?|options?|propositions?) (?:rejetée?s?|abandonnée?s?|reportée?s?)
eliminad[oa]s?|fuera de(?:l)? alcance|prohibid[oa]s?|rechazad[oa]s?|descartad[oa]s?|no objetivos|removid[oa]s?|fora do escopo|proibid[oa]s?|rimoss[oi]|fuori ambito|vietat[oi]|verwijderd|buiten scope|verboden|usunięt\\p{L}+|poza zakresem|удалено|вне рамок|запрещено|отклонено
移除|已移除|废弃|已废弃|不在范围(?:内)?|范围外|非目标|禁止(?:事项)?|不允许|否决(?:的.{1,6})?|(?:备选|替代)方案|スコープ外|対象外|非目標|削除|廃止|禁止事項|却下(?:.{1,6})?|見送り|代替案|범위 외|금지 ?사항|제거`
    .split('\n')
    .join('|')})$`,
  'iu',
);

/** The name of a list whose items need it, because without it they say the contrary: `Out of scope`, `Decisions (rejected)`; else null. */
export function contraryName(name: string): string | null {
  const whole = plainName(name);
  const said = remark.exec(whole)?.[0] ?? '';
  const bare = bareName(whole.replace(remark, ''));
  if (bare === '' || bare.length > maxName) return null;
  const isCancelled = said !== '' && cancelling.test(said) && (kindOf(bare) ?? 'fact') !== 'working_note';
  return contrary.test(bare) || isCancelled ? `${bare}${said}` : null;
}

/** An item that denies by itself: `No npm`. */
const denial =
  /^(?:[Nn]o(?:t|n|ne)?|NO|NOT|[Nn]ever|NEVER|[Dd]o not|[Dd]on['’]t|[Mm]ust not|[Kk]ein\p{Ll}*|[Nn]icht|[Nn]ie(?:mals)?|[Pp]as|[Nn]e|[Ss]in|不|禁|无)(?![\p{L}-])/u;

/** Whether an item says by itself what the name of its list says. */
export function deniesItself(item: string, name: string): boolean {
  return denial.test(item) || item.toLowerCase().startsWith(name.slice(0, 5).toLowerCase());
}

/** Longest sentence that items begin with, in characters. */
const maxLead = 120;

/** Whether items need the line above them: one that says what they are for, or what they all must, or that they are decided. */
export function isPurpose(line: string): boolean {
  if (purposeLead.test(line)) return true;
  const isSentence = line.length <= maxLead && /[:\uFF1A][*_]{0,3}$/u.test(line);
  return isSentence && kindOfName(line) === null && cuedKind(line) !== null;
}

const decisionName =
  /^(?:(?:the|our) )?(?:decision|decision outcome|entscheidung|beschluss|décision|decisión|decisão|decisione|besluit|decyzja|решение|决定|决策|決定|결정)$/iu;

/** Whether a heading is that of one decision, which the text below it says. */
export function isDecisionName(name: string): boolean {
  return decisionName.test(bareName(plainName(name)));
}

const labelPattern = /^[*_]{0,3}(?<name>[^:\uFF1A\n]{2,40})[:\uFF1A]/u;

/** The kind that a label at the beginning of a statement names: `Decision: pnpm`. */
export function kindOfLabel(text: string): KnownKind | null {
  const name = labelPattern.exec(text)?.groups?.['name'];
  return name === undefined ? null : kindOfName(name);
}
