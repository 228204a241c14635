import type { HandoffReport } from '@continuity/contract/reports';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { reportWithin } from '../../src/reports/job/report-builder.ts';
import { entryBlocks } from '../../src/reports/render/entry.ts';
import { type Block, writeMarkdown } from '../../src/reports/render/markdown.ts';
import { closingBlocks, entryLineOf, overviewBlocks } from '../../src/reports/render/overview.ts';
import { wordsOf } from '../../src/reports/render/words.ts';
import { renderText } from './support/render.ts';
import { reportOfTexts } from './support/report-of-texts.ts';
import { parseWithMarkdownIt, parseWithMicromark, shapeOf, treeOf } from './support/trees.ts';

const parsers = [parseWithMicromark, parseWithMarkdownIt];

/** The text after the second line `---`. */
function bodyOf(markdown: string): string {
  return markdown.slice(markdown.indexOf('\n---\n', 4) + '\n---\n'.length);
}

/** The nodes that a document must have. */
function blocksOf(given: HandoffReport, markdown: string): Block[] {
  const counted: HandoffReport = JSON.parse(reportWithin(renderText(given, {})));
  const report = { ...counted, report_digest: /^report_digest: "(.*)"$/m.exec(markdown)?.[1] ?? '' };
  const w = wordsOf(report.locale);
  const isProject = report.project !== null;
  return [
    ...overviewBlocks(report, report.scopes.map(entryLineOf), w),
    ...report.scopes.flatMap((entry, index) => entryBlocks(entry, index + 1, isProject, w)),
    ...closingBlocks(report, w),
  ];
}

/** Pieces that mean something to Markdown, HTML, YAML or a terminal. */
const pieces = [
  ...'\\`*_{}[]()#+-.!|~:@$^=<>&"\'/;,%? \t0aZ',
  ...'\u0000\u001B\u0085\u00A0\u00AD\u061C\u200B\u200E\u202E\u2028\u2029\u2066\u2069\u3000\uFEFF\uFFFD\uFFFE\uFFFF',
  '\n',
  '\r\n',
  '\\|',
  '\\\\|',
  '``',
  '```',
  '~~~',
  '---',
  '***',
  '  \n',
  '1. ',
  '&amp;',
  '&#124;',
  '&lt;script>',
  '<b>',
  '<!--',
  '<https://a.b>',
  '[a](javascript:b)',
  '![a](b)',
  '[a]: /b',
  '| --- |',
  '\n\n# y',
  '\n    code',
  'www.example.org',
  '漢字',
  '👩‍💻',
  'e\u0301',
];

const hostileText = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''));

/** Draws a text for each field of a report. */
const hostileReport = fc
  .record({
    texts: fc.array(hostileText, { minLength: 20, maxLength: 60 }),
    locale: fc.constantFrom('en', 'zh-CN'),
  })
  .map(({ texts, locale }): HandoffReport => {
    let index = 0;
    const next = () => texts[index++ % texts.length] ?? '';
    return { ...reportOfTexts(next), locale: locale as 'en' | 'zh-CN' };
  });

test('spec 30 scenario 48: no stored text makes a node of its own, and each is read back unchanged', () => {
  const plain = new Map(
    (['en', 'zh-CN'] as const).map((locale) => {
      const report = { ...reportOfTexts(() => 'plain'), locale };
      return [locale, bodyOf(renderText(report, { form: 'markdown' }))];
    }),
  );
  fc.assert(
    fc.property(hostileReport, (report) => {
      const markdown = renderText(report, { form: 'markdown' });
      const body = bodyOf(markdown);
      const wanted = treeOf(blocksOf(report, markdown));
      for (const parse of parsers) {
        const tree = parse(body);
        expect(tree).toEqual(wanted);
        expect(shapeOf(tree)).toEqual(shapeOf(parse(plain.get(report.locale) ?? '')));
      }
    }),
    { numRuns: 60 },
  );
});

test('spec 30 scenario 48: the selection form', () => {
  fc.assert(
    fc.property(hostileReport, (project) => {
      const selection = {
        mode: 'exact' as const,
        scope_ids: project.scopes.map(({ scope }) => scope.scope_id),
      };
      const report = {
        ...project,
        project: null,
        selection,
        period_comparison: null,
        normalized_period: null,
      };
      const markdown = renderText(report, { form: 'markdown' });
      for (const parse of parsers)
        expect(parse(bodyOf(markdown))).toEqual(treeOf(blocksOf(report, markdown)));
    }),
    { numRuns: 15 },
  );
});

test('spec 30 scenario 49: front matter is JSON line by line, and YAML of the same values', () => {
  fc.assert(
    fc.property(hostileReport, hostileText, (report, text) => {
      const stored = {
        ...report,
        selection: { mode: 'exact' as const, scope_ids: [text, `${text}2`] },
        end_selection: report.end_selection.map((entry) => ({ ...entry, scope_id: text })),
      };
      const markdown = renderText(stored, { form: 'markdown' });
      const lines = markdown.slice('---\n'.length, markdown.indexOf('\n---\n', 4)).split('\n');
      const read: Record<string, unknown> = {};
      let list: unknown[] = [];
      for (const line of lines) {
        const [, key = '', value = ''] = /^(\w+):(?: (.*))?$/s.exec(line) ?? [];
        if (key === '') list.push(JSON.parse(line.slice('  - '.length)));
        else if (value === '') read[key] = list = [];
        else read[key] = JSON.parse(value);
      }
      expect(read).toEqual(parseYaml(lines.join('\n')));
      expect(Object.keys(read)).toEqual([
        ...['schema', 'format', 'locale', 'renderer_version', 'report_kind', 'trust', 'generated_at'],
        ...['project_id', 'project_key', 'project_version', 'selection', 'period', 'selection_consistency'],
        ...['selection_digest', 'report_digest', 'activity_cursor', 'end_selection', 'activity_selection'],
      ]);
      expect(read['project_key']).toBe(stored.project?.project_key);
      expect(read['selection']).toEqual(stored.selection);
      expect(read['end_selection']).toEqual(stored.end_selection);
    }),
    { numRuns: 40 },
  );
});

/** The report with these texts as ids of its front matter too. */
function withIds(report: HandoffReport, text: string): HandoffReport {
  return {
    ...report,
    selection: { mode: 'exact', scope_ids: [text, `${text}2`] },
    end_selection: report.end_selection.map((entry) => ({ ...entry, scope_id: text })),
  };
}

test('spec 30 scenario 49: a renderer that ignores front matter finds no markup of stored text in it', () => {
  const wholeShape = (report: HandoffReport, parse: (typeof parsers)[number]) =>
    shapeOf(parse(renderText(report, { form: 'markdown' })));
  const plain = withIds(
    reportOfTexts(() => 'plain'),
    'plain',
  );
  const markup = [
    '<img src=x onerror=alert(1)>',
    '![a](https://evil.example/pixel.png)',
    '[log in](https://evil.example)',
    '<https://evil.example>',
    '`a` *b* **c** _d_ __e__ _f_g',
    '\\<b>\\\\<i> ]( [a][b] ![',
    '&lt;b&gt; &#60;',
  ].map((text) => withIds({ ...plain, ...projectKey(plain, text) }, text));
  for (const parse of parsers) {
    const wanted = wholeShape(plain, parse);
    for (const report of markup) expect(wholeShape(report, parse)).toEqual(wanted);
    fc.assert(
      fc.property(hostileReport, hostileText, (report, text) => {
        expect(wholeShape(withIds({ ...report, locale: 'en' }, text), parse)).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  }
});

function projectKey({ project }: HandoffReport, project_key: string): Pick<HandoffReport, 'project'> {
  return { project: project && { ...project, project_key } };
}

test('spec 30 scenario 49: front matter keeps ordinary ids as they are', () => {
  const id = 'team_a/checkout-api: v1.2 #7 (main)';
  expect(
    renderText(
      withIds(
        reportOfTexts(() => 'plain'),
        id,
      ),
      { form: 'markdown' },
    ),
  ).toContain(`selection: {"mode":"exact","scope_ids":["${id}","${id}2"]}`);
});

test('spec 30 scenario 30: a hostile title, objective and state text', () => {
  const body = writeMarkdown([
    { kind: 'heading', level: 3, line: [{ kind: 'text', text: 'x` | <b> # y' }] },
    { kind: 'paragraph', line: [{ kind: 'text', text: '--- [a](javascript:b) 1. \\| "q"' }] },
    { kind: 'table', head: ['a'], rows: [[[{ kind: 'code', text: 'a\\\\|`b' }]]] },
  ]);
  expect(body).toBe(
    [
      '### x\\` \\| &lt;b&gt; \\# y\n',
      '\\-\\-\\- \\[a\\]\\(javascript\\:b\\) 1\\. \\\\\\| &quot;q&quot;\n',
      '| a |\n| --- |\n| `` a\\\\\\\\\\|`b `` |\n',
    ].join('\n'),
  );
});
