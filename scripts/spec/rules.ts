/** One file of `docs/spec`, by its number. */
export type SpecFile = {
  number: string;
  /** Letter and number, or the sign of a section with the numbers of section and rule, joined by dots. */
  rules: ReadonlySet<string>;
  /** Numbers of the acceptance scenarios. */
  scenarios: ReadonlySet<string>;
  /** Ids that two places have. A citation of such an id would be ambiguous. */
  ambiguous: readonly string[];
};

/** The number of a file of rules. Undefined for any other file, such as the README. */
export function specNumber(path: string): string | undefined {
  return /^docs\/spec\/(\d\d)-[^/]+\.md$/.exec(path)?.[1];
}

/** Parses the ids of a file of `docs/spec` (grammar: `docs/spec/README.md`). */
export function parseSpecFile(number: string, text: string): SpecFile {
  const rules: string[] = [];
  const scenarios: string[] = [];
  let section = '';
  let inScenarios = false;
  for (const line of linesOutsideFences(text)) {
    if (line.startsWith('## ')) inScenarios = /^## (?:\d+\. )?Acceptance scenarios/.test(line);
    const heading = /^#+ (\d+(?:\.\d+)*)\.? /.exec(line)?.[1];
    if (heading) {
      section = heading;
      rules.push(`§${section}`);
    }
    const listed = /^(\d+)\. /.exec(line)?.[1];
    if (listed && inScenarios) scenarios.push(listed);
    else if (listed) rules.push(`§${section}.${listed}`);
    const letter = /^\s*- \*\*([A-Z]\d+)\*\* /.exec(line)?.[1];
    if (letter) rules.push(letter);
  }
  return {
    number,
    rules: new Set(rules),
    scenarios: new Set(scenarios),
    ambiguous: [...repeated(rules), ...repeated(scenarios).map((id) => `scenario ${id}`)],
  };
}

function repeated(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) < index);
}

/** The lines of a Markdown text; those of a fenced block are empty. */
export function linesOutsideFences(text: string): string[] {
  let fence: string | undefined;
  return text.split('\n').map((line) => {
    const mark = /^\s*(`{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      fence = mark;
      return mark ? '' : line;
    }
    if (mark && mark.length >= fence.length && line.trim() === mark) fence = undefined;
    return '';
  });
}
