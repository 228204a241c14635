import { cuedKind } from './kinds.ts';
import { kindOfName } from './sections.ts';
import { hasWorkWord } from './work-words.ts';

/** A line that begins with the name of a speaker. `rest` can be empty. */
export interface SpokenLine {
  speaker: string;
  rest: string;
}

const role =
  '[Uu]ser|USER|[Aa]ssistant|ASSISTANT|[Hh]uman|HUMAN|[Ss]ystem|SYSTEM|[Aa]gent|AGENT|[Bb]ot|AI|ai|用户|用戶|助手|助理|系统|系統|客服';
const namePart = "[\\p{L}\\p{M}\\p{N}'’._-]{0,30}";
const namePattern = `@?[\\p{Lu}\\p{Lt}]${namePart}(?: [\\p{Lu}\\p{Lt}\\d]${namePart}){0,2}|@[\\p{L}\\p{N}]${namePart}`;
const cjkName = '[\\p{Script=Han}\\p{Script=Katakana}ー·・]{1,8}';
const date = '(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.](?:\\d{4}|\\d{2}))';
const clock = '\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\s?[AaPp]\\.?[Mm]\\.?)?';
/** A time before a name: `[12.03.26, 09:14:02] `, `12/03/2026, 09:14 - `. */
const timePattern = `[\\[(]?(?:${date}[T, ]{0,2})?(?:${clock})?[\\])]?[ \\t]{0,4}(?:- )?`;
/** A time behind a name, which chat programs copy: `Dana Li  9:41 AM`, `Lena, [12.03.2026 09:14]`, `张三 2026-03-12 09:14`. */
const stamp = `(?:[,\\u2014\\u2013]? ?[\\[(]|[ \\t]{2,4}| ?\\u2014 ?| ?\\u2013 ?(?=\\p{L}|\\d{1,4}[-/.])| (?=\\d{1,4}[-/.]|\\S+ ?[AaPp]\\.?[Mm]))(?:(?:${date}|\\p{L}{3,10}(?: (?:at|um|à))?)[T, ]{0,2})?${clock}[\\])]?`;
/** A day and a time before a name that stands alone: `[Yesterday 14:02] Nowak, Anna`. */
const dayBefore = `\\[(?:\\p{L}{3,12}|${date})[, ]{0,2}${clock}\\] ?`;

const latinLabel = new RegExp(
  `^(?:\\*\\*|__)?(?:${timePattern})(?<speaker>${namePattern}|${role})(?:\\*\\*|__)?(?: ?[\\[(][^\\])]{1,40}[\\])])?(?::(?:\\*\\*|__)?(?:\\s|$)|\\uFF1A)(?<rest>.*)$`,
  'u',
);
const cjkLabel = new RegExp(`^(?:${timePattern})(?<speaker>${cjkName}|${role})[:\\uFF1A](?<rest>.*)$`, 'u');

const stampedName = new RegExp(`^(?<speaker>${namePattern}|${cjkName})${stamp}$`, 'u');
const nameBelowDay = new RegExp(
  `^${dayBefore}(?<speaker>(?:${namePattern})(?:, (?:${namePattern}))?|${cjkName})$`,
  'u',
);
/** Marks of direction that exports put before a line and a text. */
const directionMarks = /[\u200E\u200F\u202A-\u202E]/g;

/** Labels that are not names: those of spec 20 X2, similar ones, and common field names of notes. */
const notNames = new Set(
  `note notes todo decision decisions action actions summary question questions answer answers warning warnings example
  examples q a tip info fyi important caution attention goal goals context background problem solution reason result
  frage fragen antwort antworten pregunta respuesta domanda risposta pergunta resposta réponse begründung grund risiko ergebnis fazit stand
  results status update outcome conclusion cause fix bug error issue risk risks rule rules scope title subject date time
  deadline owner version environment name type path file branch commit url link database language fact facts requirement
  requirements monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
  september october november december today tomorrow yesterday step phase option part
  schedule agenda timeline calendar milestones attendees participants present absent regards teilnehmer anwesend
  zeitplan ablauf termine tagesordnung programm horaire programme horario orden
  password passwd passphrase pwd secret token credentials credential key
  日程 议程 議程 安排 时间表 予定 議題 参加者 日時 場所 注意 备注 備註 说明 說明 总结 總結 摘要 结论 結論 问题 問題 问 問 答 回答 答案 警告 例如 示例 例子 比如 行动 行動
  原因 结果 結果 状态 狀態 目标 目標 背景 日期 时间 時間 版本 数据库 環境 环境 密码 密碼 口令 密钥 密鑰 令牌 私钥 私鑰`.split(
    /\s+/,
  ),
);
const sentenceWords = /[是的为為了在如下和与與]/u;

/** Longest line whose marks of direction are ignored, in characters. */
const maxLabelledLine = 4_000;

/** Longest line that is a name and a time, in characters. */
const maxStampedName = 140;

/**
 * The name in a line that is only a name and a time, as chat programs copy them; null for any other line. A date of a plan looks the
 * same (`Freeze – 18:00`), so the caller wants several such lines, each with a text below it.
 */
export function parseStampedName(line: string): string | null {
  if (line.length > maxStampedName) return null;
  const plain = line.replace(directionMarks, '');
  const speaker = (stampedName.exec(plain) ?? nameBelowDay.exec(plain))?.groups?.['speaker'];
  return speaker === undefined || !isName(speaker) ? null : speaker.replace(/^@/, '');
}

/** Parses `Name:` at the start of a line, also bold or with a time; null if the label is not a name (spec 20 X2). */
export function parseSpeaker(line: string): SpokenLine | null {
  const plain = line.length > maxLabelledLine ? line : line.replace(directionMarks, '');
  const groups = (latinLabel.exec(plain) ?? cjkLabel.exec(plain))?.groups;
  const speaker = groups?.['speaker'];
  if (speaker === undefined || !isName(speaker)) return null;
  const rest = (groups?.['rest'] ?? '').trim();
  if ((/^[\d[(]/.test(plain) || isBareValue(rest)) && isPlanned(speaker)) return null;
  return { speaker: speaker.replace(/^@/, ''), rest };
}

const bareValue = /^(?:[<>]=?|[≤≥≈±~])?\s?[$€£¥]?\d[\d.,:]{0,20}\s?\S{0,12}(?:\s\S{1,12})?$/u;

/** Whether a text is only a number with at most two words: `18:00`, `90 days`. */
export function isBareValue(text: string): boolean {
  return bareValue.test(text);
}

/** What is planned at a time. */
const planned =
  /(?<!\p{L})(?:demos?|retro(?:spective)?|reviews?|stand-?up|daily|weekly|jour fixe|kick-?off|planning|refinement|grooming|sync|check-?(?:in|out)|meeting|call|workshop|training|keynote|talks?|session|panel|q&a|opening|closing|registration|welcome|wrap-?up|intro(?:duction)?|lunch|dinner|breakfast|brunch|break|coffee|drinks|party|travel|departure|arrival|boarding|start|begin|end|freeze|code freeze|rollout|go-?live|cut-?over|launch|maintenance|downtime|hand-?over|interview|mittag(?:s\p{L}*|essen)?|früh\p{L}+|abend(?:essen)?|kaffee(?:pause)?|pause|abfahrt|ankunft|anreise|abreise|beginn|ende|schluss|wartung|besprechung|termin|übergabe|schulung|vortrag|begrüßung|anmeldung|abschluss|déjeuner|dîner|réunion|départ|arrivée|début|fin|formation|accueil|almuerzo|comida|cena|reunión|salida|llegada|inicio|fin|descanso|almoço|pranzo|riunione)(?!\p{L})|会议|午餐|午休|评审|演示|冻结|开始|结束|出发|到达|維護|维护|会議|昼食|休憩|開始|終了|発表|集合|出発|到着/iu;

/** Whether the label beside a time is a planned event, not a speaker: `10:00 - Deploy: …`. */
export function isPlanned(label: string): boolean {
  const isRole = /^(?:user|agent|system|customer)$/i.test(label);
  // Lower case, because `AJ` and `MacIver` are no names of code here.
  return !isRole && (/\p{Nd}/u.test(label) || planned.test(label) || hasWorkWord(label.toLowerCase()));
}

function isName(label: string): boolean {
  if (
    label
      .toLowerCase()
      .split(/[ _-]/)
      .some((word) => notNames.has(word))
  )
    return false;
  return (
    cuedKind(label) === null &&
    kindOfName(label) === null &&
    !sentenceWords.test(label) &&
    !/^[A-Z]{1,4}[- ]?\d{1,4}$/.test(label)
  );
}
