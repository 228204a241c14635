import { type Citation, findCitations } from './citations.ts';
import { type Deviation, findDeviations, findOwnCitations, type LetterRules } from './deviations.ts';
import { parseSpecFile, type SpecFile, specNumber } from './rules.ts';

/** Released migrations never change, so their comments keep the spelling that they have. */
const released = /^prisma\/migrations\//;
const testFile = /\.test\.ts$/;

type Found = { path: string; citations: readonly Citation[]; deviations: readonly Deviation[] };

/**
 * Checks the citations of the spec in files, by path from the root of the repository. Returns a line for each unknown rule or
 * scenario, each citation outside of the grammar of `docs/spec/README.md`, each ambiguous id, each scenario that no test names, and each
 * test that a page names and that does not exist.
 */
export function lintSpec(files: ReadonlyMap<string, string>): string[] {
  const spec = parseSpec(files);
  const letters: LetterRules = new Map([...spec.values()].flatMap(lettersOf));
  const found = [...files].map(([path, text]) => findIn(path, text, letters));
  return [
    ...[...spec.values()].flatMap(({ number, ambiguous }) => {
      return ambiguous.map((id) => `docs/spec: spec ${number} ${id} is ambiguous`);
    }),
    ...found.flatMap((file) => problemsOf(file, spec)),
    ...untested(found, spec),
    ...[...files].flatMap(([path, text]) => (path.endsWith('.md') ? missingTests(path, text, files) : [])),
  ];
}

function parseSpec(files: ReadonlyMap<string, string>): Map<string, SpecFile> {
  const parsed = [...files].flatMap(([path, text]) => {
    const number = specNumber(path);
    return number ? [parseSpecFile(number, text)] : [];
  });
  return new Map(parsed.map((file) => [file.number, file]));
}

function lettersOf({ number, rules }: SpecFile): [string, string][] {
  return [...rules].filter((id) => /^[A-Z]/.test(id)).map((id) => [id, number]);
}

function findIn(path: string, text: string, letters: LetterRules): Found {
  const number = specNumber(path);
  if (number) return { path, ...findOwnCitations(text, number, letters) };
  const deviations = released.test(path) ? [] : findDeviations(text, letters);
  return { path, citations: findCitations(text).citations, deviations };
}

function problemsOf({ path, citations, deviations }: Found, spec: ReadonlyMap<string, SpecFile>): string[] {
  const unknown = citations.filter(({ file, id, scenario }) => {
    const cited = spec.get(file);
    return !(scenario ? cited?.scenarios : cited?.rules)?.has(id);
  });
  return [
    ...unknown.map((citation) => `${path}:${citation.line}: unknown: ${nameOf(citation)}`),
    ...deviations.map(
      ({ line, text, advice }) => `${path}:${line}: "${text.replace(/\s+/g, ' ')}": ${advice}`,
    ),
  ];
}

function untested(found: readonly Found[], spec: ReadonlyMap<string, SpecFile>): string[] {
  const tests = found.filter(({ path }) => testFile.test(path));
  const names = tests.flatMap(({ citations }) => citations.filter(({ named }) => named).map(nameOf));
  const tested = new Set(names);
  return [...spec.values()]
    .flatMap(({ number: file, scenarios }) =>
      [...scenarios].map((id) => nameOf({ file, id, scenario: true })),
    )
    .filter((name) => !tested.has(name))
    .map((name) => `docs/spec: no test begins its name with ${name}`);
}

function missingTests(path: string, text: string, files: ReadonlyMap<string, string>): string[] {
  const names = [...text.matchAll(/`((?:packages|services)\/[^`\s]*\.test\.ts)`/g)].map(
    ([, name = '']) => name,
  );
  return names.filter((name) => !files.has(name)).map((name) => `${path}: no such test: ${name}`);
}

function nameOf({ file, id, scenario }: Pick<Citation, 'file' | 'id' | 'scenario'>): string {
  return `spec ${file} ${scenario ? 'scenario ' : ''}${id}`;
}
