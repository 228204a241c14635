import { type EmptyReason, emptyWords } from '@continuity/contract/empty-words';
import { type Command, Option } from 'commander';
import type { RequestOf, ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { readText } from '../input.ts';

type Kind = RequestOf<'remember_memory'>['kind'];
type Mode = RequestOf<'search_memory'>['mode'];

/** The kinds that the service knows. The vocabulary is open. */
export const kindDescription = 'fact, preference, decision, constraint, working_note, or one of your own';

/** How a time is written. */
export const timeDescription = 'RFC 3339 with an offset, such as 2026-09-01T00:00:00+02:00';
const asOfDescription = `what was true at this time: ${timeDescription}`;

interface RememberOptions {
  kind: Kind;
  reason?: string;
  supersedes?: string[];
  validFrom?: string;
  validUntil?: string;
}

interface PrepareOptions {
  format: 'compact' | 'v1';
  maxBytes?: string;
  maxItems?: string;
  asOf?: string;
}

export function addMemoryCommands(program: Command): void {
  withContext<RememberOptions>(
    program
      .command('remember')
      .description('store one statement')
      .argument('<text>', 'the statement; `-` reads standard input')
      .option('--kind <kind>', kindDescription, 'fact')
      .option('--reason <text>', 'why it is stored')
      .option('--supersedes <entry...>', 'ids of entries that it takes the place of, as `search` prints them')
      .option('--valid-from <time>', `since when it is true: ${timeDescription}`)
      .option('--valid-until <time>', 'when it is no longer true'),
    remember,
  );
  withContext<{ limit?: string; mode?: Mode; asOf?: string }>(
    program
      .command('search')
      .description('find entries')
      .argument('<words...>', 'plain words, such as a question')
      .option('--limit <number>', 'at most so many hits (1 to 50)')
      .option('--mode <mode>', 'auto, fts, vector or hybrid')
      .option('--as-of <time>', asOfDescription),
    search,
  );
  withContext<{ inactive?: boolean; asOf?: string }>(
    program
      .command('list')
      .description('list all entries')
      .option('--inactive', 'also those that were retired')
      .option('--as-of <time>', asOfDescription),
    list,
  );
  withContext<PrepareOptions>(
    program
      .command('prepare')
      .description('print the context for the next turn of an agent')
      .argument('<words...>', 'the words of the task')
      .option('--max-bytes <number>', 'limit of the text in bytes (512 to 32768)')
      .option('--max-items <number>', 'limit of items (1 to 32)')
      .option('--as-of <time>', asOfDescription)
      .addOption(
        new Option('--format <format>', 'short ids, or whole citations')
          .choices(['compact', 'v1'])
          .default('compact'),
      ),
    prepare,
  );
  withContext(program.command('flush').description('extract Memory from all captured Sources'), flush);
}

async function remember(
  { client, output, scope }: Context,
  [given = '']: string[],
  options: RememberOptions,
) {
  const text = await readText(given);
  const { kind, reason, supersedes = [], validFrom, validUntil } = options;
  const scope_id = scope();
  const ended = await Promise.all(
    supersedes.map((entry_id) => client.getMemoryEntry({ scope_id, entry_id })),
  );
  const answer = await client.rememberMemory({
    scope_id,
    kind,
    text,
    ...(reason !== undefined && { reason }),
    ...(ended.length > 0 && { supersedes: ended.map(({ citation }) => citation) }),
    ...(validFrom !== undefined && { valid_from: validFrom }),
    ...(validUntil !== undefined && { valid_until: validUntil }),
  });
  if (output.isJson) return output.json(answer);
  const { entry } = answer;
  output.text(
    entry === null
      ? 'Nothing was stored.'
      : `Remembered ${entry.citation.entry_id}, version ${entry.version}.`,
  );
}

/** Explains an empty answer: Sources that wait for extraction, or else the reason. Such Sources do not change the answer for a past time. */
async function explainEmpty(
  { client, output, scope }: Context,
  reason: EmptyReason,
  asOf: string | undefined,
): Promise<void> {
  const scope_id = scope();
  if (asOf !== undefined) return output.note(emptyWords(reason, scope_id));
  // If the counts cannot be read, the line with the reason is still useful.
  const stats = await client
    .getStats({ selection: { mode: 'exact', scope_ids: [scope_id] } })
    .catch(() => null);
  const waiting = stats?.inventory.sources.memory_pending ?? 0;
  if (waiting === 0) return output.note(emptyWords(reason, scope_id));
  const verb = waiting === 1 ? 'Source of it waits' : 'Sources of it wait';
  output.note(
    `The Scope ${JSON.stringify(scope_id)} has no answer yet: ${waiting} ${verb} for extraction. Try again in a moment.`,
  );
}

async function search(
  context: Context,
  words: string[],
  options: { limit?: string; mode?: Mode; asOf?: string },
) {
  const { client, output, scope } = context;
  const { limit, mode, asOf } = options;
  const answer = await client.searchMemory({
    scope_id: scope(),
    query: words.join(' '),
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(mode !== undefined && { mode }),
    ...(asOf !== undefined && { as_of: asOf }),
  });
  if (output.isJson) return output.json(answer);
  if (answer.hits.length === 0) return await explainEmpty(context, answer.reason ?? 'no_match', asOf);
  const rows = answer.hits.map(({ score, text, citation }) => [score.toFixed(3), text, citation.entry_id]);
  output.table(['SCORE', 'TEXT', 'ENTRY'], rows);
}

async function list(
  context: Context,
  _args: string[],
  { inactive = false, asOf }: { inactive?: boolean; asOf?: string },
) {
  const { client, output, scope } = context;
  const entries: ResponseOf<'list_memory_entries'>['entries'] = [];
  for await (const entry of client.each.listMemoryEntries({
    scope_id: scope(),
    include_inactive: inactive,
    ...(asOf !== undefined && { as_of: asOf }),
  })) {
    entries.push(entry);
    if (entries.length % 1_000 === 0) output.progress(`${entries.length} entries`);
  }
  output.endProgress();
  if (output.isJson) return output.json({ entries });
  if (entries.length === 0) return await explainEmpty(context, 'no_memory', asOf);
  const rows = entries.map(({ state, kind, text, citation }) => [state, kind, text, citation.entry_id]);
  output.table(['STATE', 'KIND', 'TEXT', 'ENTRY'], rows);
}

async function prepare(
  context: Context,
  words: string[],
  { format, maxBytes, maxItems, asOf }: PrepareOptions,
) {
  const { client, output, scope } = context;
  const answer = await client.prepareContext({
    scope_id: scope(),
    query: words.join(' '),
    format,
    ...(maxBytes !== undefined && { max_bytes: Number(maxBytes) }),
    ...(maxItems !== undefined && { max_items: Number(maxItems) }),
    ...(asOf !== undefined && { as_of: asOf }),
  });
  if (output.isJson) return output.json(answer);
  if (answer.content === null) await explainEmpty(context, answer.reason ?? 'no_match', asOf);
  else output.text(answer.content);
}

/** Flushes window after window, until nothing is left that had been captured when the flush began. */
async function flush({ client, output, scope }: Context) {
  let target: number | undefined;
  let sources = 0;
  for (;;) {
    const answer = await client.flushMemory({ scope_id: scope() });
    target ??= answer.high_watermark;
    sources += answer.processed_source_count;
    output.progress(`Source ${answer.current_cursor} of ${target}`);
    if (answer.status === 'idle' || answer.current_cursor >= target) {
      output.endProgress();
      return output.isJson
        ? output.json(answer)
        : output.text(`Read ${sources} Sources, up to position ${answer.current_cursor}.`);
    }
  }
}
