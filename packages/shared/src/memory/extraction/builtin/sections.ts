import type { KnownKind } from './kinds.ts';

/** Words before the noun that leave its meaning: `Architecture decisions`. Any other can turn it around: `Deferred decisions`. */
const english =
  "architecture|architectural|technical|tech|engineering|implementation|infrastructure|security|design|product|project|business|strategic|organi[sz]ational|team|board|committee|meeting|release|api|data|database|backend|frontend|ui|ux|key|main|major|important|core|final|binding|agreed|accepted|approved|confirmed|made|current|new|recent|further|other|all|the|our|these|today[’']s";
const german =
  'getroffene|gefasste|wichtige|wichtigste|zentrale|endgültige|finale|verbindliche|angenommene|bestätigte|technische|fachliche|organisatorische|strategische|neue|weitere|alle|die|unsere|heutige';
const chinese =
  '(?:本次|今日|最终|最終|主要|重要|关键|關鍵|全部)?(?:会议|會議|例会|评审|架构|架構|技术|技術|设计|設計|产品|產品|项目|專案|团队|團隊)?';
const qualified = (words: string, nouns: string) => `(?:(?:${words}) ){0,2}(?:${nouns})`;

/** Names of sections and labels, by the kind of the items below them (spec 25 Q14). */
const names: Record<KnownKind, string> = {
  decision: `${qualified(english, 'decisions?')}|decided|decisions? (?:made|taken)|agreed|agreements?|resolutions?|outcome of the vote|what we decided
${qualified(german, '(?:architektur-?|projekt-?)?entscheidung(?:en)?|beschl[uü]ss(?:e)?|festlegung(?:en)?|vereinbarung(?:en)?')}|beschlossen
décisions?(?: (?:prises?|validées?)| d[ue] \\p{L}+)?|decisiones(?: (?:tomadas|acordadas)| del? \\p{L}+)?|acuerdos|decisões(?: tomadas| d[aeo] \\p{L}+)?|decisioni(?: prese| d(?:el|ella|ello|ei|i) \\p{L}+)?|(?:genomen )?besluiten|beslissingen
(?:podjęte )?decyzje|ustalenia|rozhodnutí|(?:alınan )?kararlar|(?:принятые )?решения|решили|αποφάσεις
${chinese}(?:决定|決定|决策|決策|决议|決議)|结论与决定|決定事項|決まったこと|合意事項|결정(?: ?사항)?|ال?قرارات|قرارات|החלטות|(?:लिए गए )?(?:निर्णय|फ़ैसले|फैसले)`,
  constraint: `constraints?|rules?|requirements?|restrictions?|guardrails?|policies|policy|limits?|limitations?|must|must nots?|never|non-negotiables?|invariants|do nots?|don['’]ts
regeln?|vorgaben?|anforderung(?:en)?|einschränkung(?:en)?|bedingung(?:en)?|verbote?|grenzen|contraintes|règles|exigences|interdits|restricciones|reglas|requisitos|restrições|regras|regole|vincoli|requisiti|regels|eisen|beperkingen
ograniczenia|zasady|wymagania|omezení|pravidla|požadavky|kısıtlamalar|kurallar|gereksinimler|περιορισμοί|κανόνες|απαιτήσεις
القيود|قيود|القواعد|قواعد|المتطلبات|متطلبات|מגבלות|כללים|דרישות|बाधाएँ|सीमाएँ|नियम|आवश्यकताएँ
约束|約束|约束条件|规则|規則|要求|限制|禁止事项|注意事项|制約|制約事項|制約条件|ルール|要件|禁止事項|규칙|제약(?: ?사항)?|요구 ?사항|правила|ограничения|требования`,
  preference: `preferences?|likes|dislikes|likes and dislikes|style preferences?|vorlieben|präferenzen|wünsche|préférences|preferencias|preferências|preferenze|voorkeuren|preferencje|tercihler|προτιμήσεις|التفضيلات|تفضيلات|העדפות|पसंद|प्राथमिकताएँ
偏好|喜好|个人偏好|好み|希望|선호(?: ?사항)?|предпочтения`,
  working_note: `to-?dos?|to do|next|next steps?|next actions?|open|open (?:items?|issues?|points?|questions?|tasks?|work|threads?)|action items?|actions?|tasks?|remaining(?: work| tasks?)?|follow[- ]?ups?|backlog|blockers?|blocked|in progress|wip|unfinished|pending|outstanding|left to do|still to do|(?:open|pending|outstanding) decisions?
offen|(?:offene|ausstehende) (?:punkte|fragen|aufgaben|themen|arbeiten|entscheidungen|beschlüsse|tickets)|nächste schritte|aufgaben|ausstehend|noch zu tun|zu erledigen|blocker|maßnahmen
prochaines (?:étapes|actions)|(?:points?|questions?|sujets?) ouverte?s?|tâches|(?:reste )?à faire|próximos pasos|tareas(?: pendientes)?|(?:puntos|temas|preguntas) (?:abiert|pendient)[oae]s|pendientes|por hacer
próximos passos|pendências|tarefas|pontos em aberto|prossimi passi|da fare|punti aperti|attività|actiepunten|acties|openstaande (?:punten|vragen|acties|taken|zaken|besluiten)|volgende stappen|te doen
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
const maxName = 40;

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
  const whole = name
    .slice(0, 3 * maxName)
    .replace(/[*_`#]/g, '')
    .replace(/[\s:\uFF1A]+$/u, '');
  const said = remark.exec(whole)?.[0] ?? '';
  if (cancelling.test(said)) return null;
  const bare = whole
    .replace(remark, '')
    .replace(/^[^\p{L}]+/u, '')
    .replace(ordinal, '')
    .replace(/[^\p{L}\p{M}]+$/u, '');
  if (bare.length > maxName) return null;
  const kind = patterns.find(({ pattern }) => pattern.test(bare))?.kind ?? null;
  return kind !== 'working_note' && unsettled.test(said) ? null : kind;
}

const labelPattern = /^[*_]{0,3}(?<name>[^:\uFF1A\n]{2,40})[:\uFF1A]/u;

/** The kind that a label at the beginning of a statement names: `Decision: pnpm`. */
export function kindOfLabel(text: string): KnownKind | null {
  const name = labelPattern.exec(text)?.groups?.['name'];
  return name === undefined ? null : kindOfName(name);
}
