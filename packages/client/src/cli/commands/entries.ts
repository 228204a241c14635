import type { Command } from 'commander';
import { ServiceError } from '../../errors.ts';
import type { RequestOf, ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { readText } from '../input.ts';
import { isArtifactRef, toArtifactRef, toSourceRef } from '../references.ts';
import { kindDescription, timeDescription } from './memory.ts';

type Entry = ResponseOf<'get_memory_entry'>;
type Family = RequestOf<'get_artifact_revision'>['family'];
type Mutation = ResponseOf<'revise_memory_entry'>;

/** Other writes of the Scope that may come between, before a change gives up. Each attempt takes milliseconds. */
const maxAttempts = 100;

/** Commands for what lists and searches name: entries, Sources and Artifacts. */
export function addEntryCommands(program: Command): void {
  const entry = 'id of the entry, as `list` and `search` print it';
  withContext(
    program
      .command('get')
      .description('show an entry, a Source, a revision of an Artifact, or an item of a prepared context')
      .argument('<id>', 'id of an entry or of an item, name/id of a Source, or family/id@revision'),
    get,
  );
  withContext<ReviseOptions>(
    program
      .command('revise')
      .description('replace the text of an entry, or say until when it was true')
      .argument('<entry>', entry)
      .argument('[text]', 'the new statement; `-` reads standard input (default: the text that it has)')
      .option('--kind <kind>', `${kindDescription} (default: the kind that it has)`)
      .option('--reason <text>', 'why it changes')
      .option('--valid-from <time>', `since when it is true, or none: ${timeDescription}`)
      .option('--valid-until <time>', 'when it is no longer true, or none'),
    revise,
  );
  withContext<{ reason?: string }>(
    program
      .command('retire')
      .description('retire an entry: search and prepared context leave it out')
      .argument('<entry>', entry)
      .option('--reason <text>', 'why it is retired'),
    retire,
  );
}

async function get(context: Context, [id = '']: string[]) {
  const { client, output, scope } = context;
  const scope_id = scope();
  if (isArtifactRef(id)) {
    const { family, artifact_id, revision } = toArtifactRef(id);
    output.json(
      await client.getArtifactRevision({
        scope_id,
        family: family as Family,
        artifact_id,
        revision: String(revision),
      }),
    );
  } else if (id.includes('/')) {
    const { name: source_type, source_id } = toSourceRef(id);
    output.json(await client.getSource({ scope_id, source_type, source_id }));
  } else if (entryId.test(id)) {
    printEntry(context, await findEntry(context, id));
  } else {
    await printItem(context, id);
  }
}

/** A UUID. The id of an item of a prepared context is shorter. */
const entryId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Prints the version that an item of a prepared context names: of an entry, or of an Experience, which has an id of the same form. */
async function printItem(context: Context, short_id: string): Promise<void> {
  const { client, output, scope } = context;
  const request = { scope_id: scope(), short_id };
  try {
    printEntry(context, await client.getMemoryEntry(request));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const experience = await client.getExperience(request).catch((other: unknown) => {
      throw isNotFound(other) ? error : other;
    });
    output.json(experience);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

/** The current version of an entry. Throws `ServiceError` with the status 404 if the Scope has none of this id. */
function findEntry({ client, scope }: Context, entry_id: string): Promise<Entry> {
  return client.getMemoryEntry({ scope_id: scope(), entry_id });
}

function printEntry({ output }: Context, entry: Entry): void {
  if (output.isJson) {
    output.json(entry);
    return;
  }
  const { citation, version, kind, state, text, source_refs, artifact_refs } = entry;
  const { valid_from, valid_until, superseded_by } = entry;
  const times = [
    ...(valid_from === undefined ? [] : [`true since ${valid_from}`]),
    ...(valid_until === undefined ? [] : [`true until ${valid_until}`]),
    ...(superseded_by === undefined ? [] : [`superseded by ${superseded_by}`]),
  ];
  const head = [`${kind}, ${state}, version ${version}: ${citation.entry_id}`, ...times].join('\n');
  output.text(`${head}\n\n${text}`);
  const evidence = [
    ...source_refs.map(({ name, source_id }) => `${name}/${source_id}`),
    ...artifact_refs.map(({ family, artifact_id, revision }) => `${family}/${artifact_id}@${revision}`),
  ];
  if (evidence.length > 0) output.text(`\nevidence:\n${evidence.map((one) => `- ${one}`).join('\n')}`);
}

interface ReviseOptions {
  kind?: string;
  reason?: string;
  validFrom?: string;
  validUntil?: string;
}

const timeOrNull = (given: string): string | null => (given === 'none' ? null : given);

async function revise(
  context: Context,
  [id = '', given]: (string | undefined)[],
  { kind, reason, validFrom, validUntil }: ReviseOptions,
) {
  const { client, output, scope } = context;
  const text = given === undefined ? undefined : await readText(given);
  const found = await findEntry(context, id);
  const answer = await change(found, (citation) =>
    client.reviseMemoryEntry({
      scope_id: scope(),
      citation,
      kind: kind ?? found.kind,
      text: text ?? found.text,
      ...(reason !== undefined && { reason }),
      ...(validFrom !== undefined && { valid_from: timeOrNull(validFrom) }),
      ...(validUntil !== undefined && { valid_until: timeOrNull(validUntil) }),
    }),
  );
  if (output.isJson) output.json(answer);
  else output.text(`Revised ${id}, version ${answer.entry?.version ?? found.version}.`);
}

async function retire(context: Context, [id = '']: string[], { reason }: { reason?: string }) {
  const { client, output, scope } = context;
  const found = await findEntry(context, id);
  const answer = await change(found, (citation) =>
    client.retireMemoryEntry({ scope_id: scope(), citation, ...(reason !== undefined && { reason }) }),
  );
  if (output.isJson) output.json(answer);
  else output.text(`Retired ${id}.`);
}

/**
 * Changes an entry as it was found. Other writes of the Scope may come between: the citation is then that of the new revision, unless the
 * entry itself has changed.
 */
async function change(
  { citation: found }: Entry,
  work: (citation: Entry['citation']) => Promise<Mutation>,
): Promise<Mutation> {
  let citation = found;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(citation);
    } catch (error) {
      const current = currentOf(error);
      if (current?.entry_version_id !== found.entry_version_id || attempt === maxAttempts) throw error;
      citation = current;
    }
  }
}

function currentOf(error: unknown): Entry['citation'] | undefined {
  if (!(error instanceof ServiceError) || !error.is('revision_conflict')) return undefined;
  const { details } = error;
  return 'current_citation' in details ? (details.current_citation ?? undefined) : undefined;
}
