// Patterns of the lines that blocks have. They expect trimmed lines.
export const headingPattern = /^#{1,6}(?:\s|$)/;
export const rulePattern = /^(?:[-*_=~#—]\s?){3,}$/;
export const underline = /^(?:={2,}|-{2,})$/;
export const tableRule = /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/;
export const tableRow = /^\|(.*)\|$/;
export const listMarkPattern =
  /^(?:[-*+•‣◦▪●·–—]\s+|[・･]\s*|\(?(?:\d{1,3}|[a-zA-Z])\)\s+|(?<number>\d{1,3})\.\s+|\d{1,3}[、\uFF0E\uFF09]\s*|[(\uFF08][一二三四五六七八九十]{1,3}[)\uFF09]\s*|[一二三四五六七八九十]{1,3}、\s*|[①-⑳]\s*)/u;
export const checkBox = /^\[([ xX✓✔])\]\s+/;
/** A name in brackets or behind a mark, without a colon: `【決定事項】`, `■ Beschlüsse`, `**Decisions**`. */
export const markedName =
  /^(?:【[^【】]{1,40}】|〔[^〔〕]{1,40}〕|<[^<>]{1,40}>|[■◆●▼◇□▶]\s*\S.{0,39}|(?:\*\*|__)[^*_]{1,40}(?:\*\*|__))$/u;
export const timeAlone = /^[[(]?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?$/u;
export const sentenceEnd = /[.!?:;…。！？：][)\]"'”»」*_]*$/u;
/** A label begins with a capital letter, or one of a script without them. */
export const labelStart = /^[*_]{0,3}[\p{Lu}\p{Lt}\p{Lo}]/u;
export const leadIn = /^[*_]{0,3}[^:\uFF1A]{2,60}[:\uFF1A][*_]{0,3}$/u;

/** A line that says what the steps below it are for: `To add a dependency:`. Without it nobody finds them. */
export const purposeLead =
  /^[*_]{0,2}(?:(?:To|How to|In order to) \p{L}|Um [^:]{3,80} zu \p{L}|Pour \p{L}|Para \p{L}|要|为了|為了|若要|如何|怎么|[^:\uFF1A]{2,40}(?:するには|手順|方法|步骤|步驟))[^:\uFF1A]{0,100}[:\uFF1A][*_]{0,2}$/u;

/** Longest heading underlined by dashes, in characters. Dashes below a longer line are a rule after a paragraph. */
export const headingLength = 80;

/** Lines of at least this width, in characters, count as wrapped by an editor. */
export const wrappedWidth = 60;

/** Whether a line can be the name of the list below it. */
export function isShortName(text: string): boolean {
  return text.length <= 40 && text.split(/\s/, 6).length <= 4 && !sentenceEnd.test(text);
}
