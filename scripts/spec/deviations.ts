import { type Citation, citationSource, findCitations, gap, lineFinder } from './citations.ts';
import { linesOutsideFences } from './rules.ts';

/** A citation in a spelling outside of the grammar. */
export type Deviation = { line: number; text: string; advice: string };

/** The file of each rule that has a letter. */
export type LetterRules = ReadonlyMap<string, string>;

const looseFile = new RegExp(String.raw`\b[Ss]pecs?(?:${gap}|-|\.${gap})?\d\d\b`, 'g');
const looseScenario = new RegExp(String.raw`\b[Ss]cenarios?${gap}(\d+)`, 'g');
const ruleInWords = new RegExp(String.raw`${citationSource}${gap}(?:rule|item)s?${gap}\d+`, 'g');
const sectionSign = /§\d+(?:\.\d+)*/g;
const sectionInWords = /\b[Ss]ections? \d|\b\d\d`? §\d+(?:\.\d+)*/g;
const letterId = /(?<![-\w%.+`"])[A-Z]\d+(?![-\w%`"])/g;
const comment = /(?:^\s*(?:\/?\*|--|#)|\/\/).*$/;
const stringStart = /(?<=['"`])[A-Z]\d+(?=[ ,:])/g;

/** Names of documents with sections of their own. */
const otherDocument = /(?:RFC \d+|UAX #\d+|W3C [^()]*)[^()]{0,40}$/;

/** Finds citations outside of the grammar, in a file outside of the spec. */
export function findDeviations(text: string, letters: LetterRules): Deviation[] {
  const { blank } = findCitations(text);
  const report = reporter(text);
  const signs = [...blank.matchAll(sectionSign)].filter(
    ({ index }) => !otherDocument.test(blank.slice(Math.max(0, index - 80), index)),
  );
  const ids = blank.split('\n').flatMap((line, index) => {
    const inComment = comment.exec(line)?.[0].match(letterId) ?? [];
    const found = [...inComment, ...(line.match(stringStart) ?? [])].filter((id) => letters.has(id));
    return found.map((id) => withoutFile(id, index + 1, letters));
  });
  return [
    ...looseDeviations(text, blank),
    ...report(blank.matchAll(looseScenario), 'write the file before the scenario'),
    ...report(signs, 'write the file before the section'),
    ...ids,
  ];
}

/**
 * Finds the citations of a file of the spec. It cites its own sections, rules and scenarios by their ids alone, and those of other
 * files as every file does.
 */
export function findOwnCitations(
  text: string,
  number: string,
  letters: LetterRules,
): { citations: Citation[]; deviations: Deviation[] } {
  const lines = linesOutsideFences(text).map((line) => (line.startsWith('#') ? '' : line));
  const prose = lines.join('\n');
  const { citations, blank } = findCitations(prose);
  const lineAt = lineFinder(prose);
  const withoutWords = blank.replace(sectionInWords, (words) => ' '.repeat(words.length));
  const series = new Set([...letters].filter(([, file]) => file === number).map(([id]) => id[0]));
  const ids = [...blank.matchAll(letterId)];
  const own = ids.filter(([id]) => series.has(id[0]));
  const foreign = ids.filter(([id]) => !series.has(id[0]) && letters.has(id));
  const cite = (id: string, index: number, scenario = false): Citation => {
    return { line: lineAt(index), file: number, id, scenario, named: false };
  };
  return {
    citations: [
      ...citations,
      ...[...withoutWords.matchAll(sectionSign), ...own].map(({ 0: id, index }) => cite(id, index)),
      ...[...blank.matchAll(looseScenario)].map(({ 1: id = '', index }) => cite(id, index, true)),
    ],
    deviations: [
      ...looseDeviations(prose, blank),
      ...reporter(prose)(blank.matchAll(sectionInWords), 'write the file, and the sign of a section'),
      ...foreign.map(({ 0: id, index }) => withoutFile(id, lineAt(index), letters)),
    ],
  };
}

/** Deviations that are wrong in every file. */
function looseDeviations(text: string, blank: string): Deviation[] {
  const report = reporter(text);
  return [
    ...report(blank.matchAll(looseFile), 'write the rule behind the file'),
    ...report(text.matchAll(ruleInWords), 'write the number of the rule behind a dot'),
  ];
}

function reporter(text: string): (matches: Iterable<RegExpExecArray>, advice: string) => Deviation[] {
  const lineAt = lineFinder(text);
  return (matches, advice) => {
    return [...matches].map(({ 0: match, index }) => ({ line: lineAt(index), text: match, advice }));
  };
}

function withoutFile(id: string, line: number, letters: LetterRules): Deviation {
  return { line, text: id, advice: `write the file too: spec ${letters.get(id)} ${id}` };
}
