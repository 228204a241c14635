import { hasNumber, isConcrete } from './work-words.ts';

/** A time of day, or a number with a comparison or a unit: `18:00`, `>= 5 %`, `30 s`. */
const measure =
  /(?<!\d)\d{1,2}:\d{2}(?!\d)|(?:[<>]=?|[≤≥≈±~])\s?[$€£¥]?\d|\d\s?(?:%|‰|°|[$€£¥]|[kKMGT]i?[Bb](?!\p{L})|(?:[µmn]?s|sec|min|h|hours?|days?|weeks?|months?|years?|tage?|wochen?|monate?|jahre?|stunden?|minuten?|sekunden?|jours?|heures?|días?|horas?|rpm|rps|qps|[kM]?Hz|km|kg|px|pt|EUR|USD|CHF|GBP)(?!\p{L}))|[$€£¥]\s?\d|\d(?:天|小时|小時|分钟|分鐘|秒|元|日|時間|分|円|個|个|回|次|件|人|台|개|원|시|분|일)/iu;
const wordBeside = /\p{L}{3}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2}/u;

/** A label and its value, or the cells of a row: `Hosting: Hetzner`, `Postgres | 16`. */
const field = /^(?<label>[^:\uFF1A|\n]{2,40})(?:: |\uFF1A| \| )(?<value>.{1,200})$/u;
/** A question and its answer, or a form of politeness, are no fields. */
const noField = /^(?:ps|p\.s\.|re|fw|fwd|aw|wg|q|a|me|ich|hi|hallo|hello|dear)$/iu;

/**
 * Whether a text says something in fewer words than a sentence has: what happens at a time, a measure, or a label and its value
 * (spec 20 X4).
 */
export function isTerse(text: string): boolean {
  if (measure.test(text) && wordBeside.test(text.replace(measure, ''))) return true;
  const { label, value } = field.exec(text)?.groups ?? {};
  if (label === undefined || value === undefined || noField.test(label.trim())) return false;
  return hasNumber(value) || isConcrete(`${label}: ${value}`);
}
