import { type Command, Option } from 'commander';
import type { RequestOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';

interface ReportOptions {
  project?: string;
  root?: string;
  locale?: NonNullable<RequestOf<'get_handoff_report'>['locale']>;
}

export function addReportCommand(program: Command): void {
  withContext<ReportOptions>(
    program
      .command('report')
      .description('print a report on the state of work, as Markdown, or as JSON with --json')
      .addOption(new Option('--project <id>', 'the Workstreams of a Project').conflicts('root'))
      .option('--root <scope>', 'this Scope and its descendants')
      .addOption(new Option('--locale <locale>', 'language of the Markdown').choices(['en', 'zh-CN'])),
    report,
  );
}

/** Without an option, the report is of the chosen Scope. */
async function report(
  { client, output, scope }: Context,
  _args: string[],
  { project, root, locale }: ReportOptions,
) {
  output.progress('Rendering …');
  const answer = await client.getHandoffReport({
    format: output.isJson ? 'json' : 'markdown',
    ...(project !== undefined ? { project_id: project } : { selection: selectionOf(root, scope) }),
    ...(locale !== undefined && { locale }),
  });
  output.endProgress();
  if (answer.markdown === null) output.json(answer);
  else output.text(answer.markdown.trimEnd());
}

function selectionOf(root: string | undefined, scope: () => string) {
  if (root !== undefined) return { mode: 'subtree' as const, root_scope_id: root };
  return { mode: 'exact' as const, scope_ids: [scope()] };
}
