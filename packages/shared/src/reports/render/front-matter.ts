import type { ReportSelectionEntry } from '@continuity/contract/reports';
import type { ReportFrame } from '../content/frame.ts';

const jsonString = /"(?:[^"\\]|\\.)*"/g;

/** JSON allows these characters in a string, YAML does not, or a reader cannot see them. */
const escapedInYaml = /[\u007F-\u009F\u2028\u2029\uFFFE\uFFFF\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Markup inside of a line, for renderers that do not know front matter and read it as a paragraph. An underscore between letters or
 * digits is no markup, and ids have many.
 */
const escapedInMarkdown = /[`*[\]<>&!|~@$^]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;

/** The front matter with both of its lines `---` and a line feed at the end. Each value is JSON and YAML (spec 30 §4.9.4). */
export function frontMatter(frame: ReportFrame): string {
  const { project, selection, normalized_period: period } = frame;
  const fields: [string, unknown][] = [
    ['schema', frame.schema],
    ['format', frame.format],
    ['locale', frame.locale],
    ['renderer_version', frame.renderer_version],
    ['report_kind', frame.report_kind],
    ['trust', frame.trust],
    ['generated_at', frame.generated_at],
    ['project_id', project?.project_id ?? null],
    ['project_key', project?.project_key ?? null],
    ['project_version', project?.version ?? null],
    ['selection', selection],
    ['period', period],
    ['selection_consistency', frame.selection_consistency],
    ['selection_digest', frame.selection_digest],
    ['report_digest', frame.report_digest],
    ['activity_cursor', frame.activity_cursor],
  ];
  return [
    '---',
    ...fields.map(([key, value]) => `${key}: ${literal(value)}`),
    ...list('end_selection', frame.end_selection.map(inShapeOrder)),
    ...list('activity_selection', frame.activity_selection),
    '---',
    '',
  ].join('\n');
}

/** The entry with its fields in the order of their shape. */
function inShapeOrder(entry: ReportSelectionEntry): ReportSelectionEntry {
  const {
    scope_id,
    scope_version,
    workstream_revision,
    source_position,
    status,
    handoff_ref: reference,
  } = entry;
  const handoff_ref = reference && {
    family: reference.family,
    artifact_id: reference.artifact_id,
    revision: reference.revision,
  };
  return { scope_id, scope_version, workstream_revision, source_position, status, handoff_ref };
}

function list(key: string, values: readonly unknown[]): string[] {
  if (values.length === 0) return [`${key}: []`];
  return [`${key}:`, ...values.map((value) => `  - ${literal(value)}`)];
}

/** JSON whose strings are YAML and no Markdown. Outside of its strings JSON has no markup: its brackets stand before no `(`. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(jsonString, (text) =>
    text.replace(escapedInYaml, escapeCharacter).replace(escapedInMarkdown, escapeCharacter),
  );
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
