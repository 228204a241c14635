import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { type Context, withContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { readInput, readJsonInput, readText } from '../input.ts';

interface CaptureOptions {
  id?: string;
  file?: string;
  metadata?: string;
}

export function addCaptureCommand(program: Command): void {
  withContext<CaptureOptions>(
    program
      .command('capture')
      .description('store a text as a Source, from which Memory is extracted')
      .argument('[text]', 'the text; `-` reads standard input')
      .option('--file <path>', 'read the text from a file')
      .option('--id <id>', 'id of the Source (default: digest of the text, so that a repeat stores nothing)')
      .option('--metadata <path>', 'facts about it as a JSON object'),
    capture,
  );
}

async function capture({ client, output, scope }: Context, args: string[], options: CaptureOptions) {
  const { file, id, metadata } = options;
  const [given] = args;
  if ((given === undefined) === (file === undefined))
    throw new UsageError('Give the text, `-` for standard input, or --file.');
  const content = file === undefined ? await readText(given ?? '') : await readInput(file);
  const answer = await client.captureContentSource({
    scope_id: scope(),
    source_id: id ?? createHash('sha256').update(content).digest('hex').slice(0, 32),
    content,
    ...(metadata !== undefined && { metadata: await readJsonInput(metadata) }),
  });
  if (output.isJson) return output.json(answer);
  const { source, position } = answer;
  output.text(`Captured ${source.name}/${source.source_id}, position ${position}.`);
}
