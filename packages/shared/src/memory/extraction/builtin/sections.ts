import type { KnownKind } from './kinds.ts';

/** Names of sections and labels, by the kind of the items below them (spec 25 Q14). */
const names: Record<KnownKind, string> = {
  decision: `decisions?|decided|decisions? (?:made|taken)|agreed|agreements?|resolutions?|outcome of the vote|what we decided
entscheidung(?:en)?|beschl[uü]ss(?:e)?|beschlossen|festlegung(?:en)?|vereinbarung(?:en)?|décisions?|decisiones|decisões|decisioni|besluiten
决定|決定|决策|決策|决议|決議|结论与决定|会议决定|決定事項|決まったこと|合意事項|결정(?: ?사항)?|решения|решили`,
  constraint: `constraints?|rules?|requirements?|restrictions?|guardrails?|policies|policy|limits?|limitations?|must|must nots?|never|non-negotiables?|invariants|do nots?|don['’]ts
regeln?|vorgaben?|anforderung(?:en)?|einschränkung(?:en)?|bedingung(?:en)?|verbote?|grenzen|contraintes|règles|exigences|restricciones|reglas|requisitos|regole
约束|約束|约束条件|规则|規則|要求|限制|禁止事项|注意事项|制約|制約事項|制約条件|ルール|要件|禁止事項|규칙|제약(?: ?사항)?|요구 ?사항|правила|ограничения|требования`,
  preference: `preferences?|likes|dislikes|likes and dislikes|style preferences?|vorlieben|präferenzen|wünsche|préférences|preferencias|preferências|preferenze
偏好|喜好|个人偏好|好み|希望|선호(?: ?사항)?|предпочтения`,
  working_note: `to-?dos?|to do|next|next steps?|next actions?|open|open (?:items?|issues?|points?|questions?|tasks?|work|threads?)|action items?|actions|tasks?|remaining(?: work| tasks?)?|follow[- ]?ups?|backlog|blockers?|blocked|in progress|wip|unfinished|pending|outstanding|left to do|still to do
offen|offene (?:punkte|fragen|aufgaben|themen)|nächste schritte|aufgaben|ausstehend|noch zu tun|blocker|prochaines étapes|à faire|próximos pasos|pendientes|tareas|próximos passos|pendências|prossimi passi|da fare
待办|待辦|待办事项|下一步|后续|后续工作|后续事项|未完成|遗留问题|待解决|任务|阻塞|次のステップ|次にやること|残タスク|残課題|課題|やること|タスク|未完了|宿題|다음 단계|할 일|남은 작업|следующие шаги|задачи|осталось`,
  fact: `facts?|key facts|findings?|results?|notes? and facts|good to know|learned|learnings|root causes?|causes?
fakten|erkenntnisse|ergebnisse?|ursachen?|faits|hechos|fatos|事实|事實|发现|发现的问题|原因|结果|事実|判明したこと|分かったこと|結果|사실|факты`,
};

const patterns = Object.entries(names).map(([kind, list]) => ({
  kind: kind as KnownKind,
  pattern: new RegExp(`^(?:${list.split('\n').join('|')})$`, 'iu'),
}));

/** Longest name of a section, in characters. */
const maxName = 40;

/** The kind that the name of a section or a label tells; null for any other name. Ignores emphasis, numbers, emoji and a last colon. */
export function kindOfName(name: string): KnownKind | null {
  const bare = name
    .slice(0, 2 * maxName)
    .replace(/[*_`#]/g, '')
    .replace(/^[^\p{L}]+/u, '')
    .replace(/[^\p{L}]+$/u, '');
  if (bare.length > maxName) return null;
  return patterns.find(({ pattern }) => pattern.test(bare))?.kind ?? null;
}

const labelPattern = /^[*_]{0,3}(?<name>[^:\uFF1A\n]{2,40})[:\uFF1A]/u;

/** The kind that a label at the beginning of a statement names: `Decision: pnpm`. */
export function kindOfLabel(text: string): KnownKind | null {
  const name = labelPattern.exec(text)?.groups?.['name'];
  return name === undefined ? null : kindOfName(name);
}
