/** A citation of one rule, section or scenario. A range is one citation for each of its members. */
export type Citation = {
  line: number;
  /** Number of the file of `docs/spec`. */
  file: string;
  /** As in `SpecFile`: id of a rule or section, or number of a scenario. */
  id: string;
  scenario: boolean;
  /** The citation stands at the beginning of a string literal, as the name of a test does. */
  named: boolean;
};

/** A space, or the end of a line of a comment or a paragraph. */
export const gap = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:\*|//|--|#|>)?[ \t]*)`;
const separator = `(?:,${gap}(?:and${gap})?|${gap}and${gap}|${gap}to${gap})`;
const scenario = String.raw`scenario${gap}(?:\d+)\b`;
const scenarios = String.raw`scenarios${gap}\d+(?:${separator}\d+\b)+`;
const item = String.raw`(?:${scenario}|${scenarios}|§\d+(?:\.\d+)*|[A-Z]\d+\b)`;

/** Source of a regular expression of a citation: the number of the file, then its list of rules and scenarios. */
export const citationSource = String.raw`\b[Ss]pec${gap}(\d\d)${gap}(${item}(?:${separator}${item})*)`;

const citationPattern = new RegExp(citationSource, 'g');
const scenariosPattern = new RegExp(scenarios, 'g');
const stringStart = /['"`](?:spec [^:'"`]*, )?$/;

/** Finds the citations of a text. `blank` is the text with them replaced by spaces, for further searches. */
export function findCitations(text: string): { citations: Citation[]; blank: string } {
  const citations: Citation[] = [];
  const lineAt = lineFinder(text);
  const blank = text.replace(citationPattern, (whole: string, file: string, list: string, at: number) => {
    const named = stringStart.test(text.slice(Math.max(0, at - 200), at));
    for (const id of idsOf(list)) citations.push({ line: lineAt(at), file, named, ...id });
    return whole.replace(/[^\n]/g, ' ');
  });
  return { citations, blank };
}

/** The single ids of a list with ranges, the part of a citation behind the number of the file. */
function idsOf(list: string): Pick<Citation, 'id' | 'scenario'>[] {
  const single = list.replace(scenariosPattern, (some) => some.replace(/\d+/g, 'scenario $&'));
  const tokens = single.match(/\bto\b|\bscenario\b[^\d]*\d+|§\d+(?:\.\d+)*|[A-Z]\d+/g) ?? [];
  const ids = tokens.map((token) => (token.startsWith('scenario') ? `scenario ${/\d+/.exec(token)}` : token));
  return ids
    .flatMap((id, index) => (id === 'to' ? idsBetween(ids[index - 1] ?? '', ids[index + 1] ?? '') : [id]))
    .map((id) => ({ id: id.replace('scenario ', ''), scenario: id.startsWith('scenario') }));
}

/** The ids between two of one series; none if they are of two series. */
function idsBetween(from: string, to: string): string[] {
  const [, series, first] = /^(.*?)(\d+)$/.exec(from) ?? [];
  const [, sameSeries, last] = /^(.*?)(\d+)$/.exec(to) ?? [];
  if (series === undefined || series !== sameSeries) return [];
  const count = Math.max(0, Number(last) - Number(first) - 1);
  return Array.from({ length: count }, (_, index) => `${series}${Number(first) + 1 + index}`);
}

/** Returns a function from an offset in the text to the number of its line, from 1. */
export function lineFinder(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let line = 0;
    for (let step = ends.length; step >= 1; step = Math.floor(step / 2))
      while ((ends[line + step - 1] ?? Number.POSITIVE_INFINITY) < offset) line += step;
    return line + 1;
  };
}
