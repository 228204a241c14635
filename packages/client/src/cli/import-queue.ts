import { NotesFolder } from '../hook/notes.ts';
import { Queue } from '../hook/queue.ts';
import { sendQueue } from '../hook/send.ts';
import { Service } from '../hook/service.ts';
import { destinationOf } from '../hook/settings.ts';
import { missingHome, stateFolder } from '../local/user-state.ts';
import type { Context } from './context.ts';
import { exitCodes, UsageError } from './errors.ts';

/** Time limit, in ms: of a full queue to a slow service. */
const sendMs = 10 * 60_000;

/**
 * `continuity import queue`: sends the texts that hooks could not send, also those that were said to another address or with another
 * token (spec 70 §4.3.1). Sets the exit code.
 */
export async function importQueue({ settings, output }: Context): Promise<void> {
  const state = stateFolder(process.env);
  if (state === undefined) throw new UsageError(missingHome);
  const { url, token } = settings;
  const hook = {
    url: url.replace(/\/+$/, ''),
    token,
    scope: undefined,
    captures: true,
    redaction: 'off',
  } as const;
  const service = new Service(hook, AbortSignal.timeout(sendMs));
  const queue = new Queue(state);
  const place = {
    queue,
    notes: new NotesFolder(state),
    service,
    destination: destinationOf(hook),
    isForAll: true,
  };
  const { count, failures } = await sendQueue(place, () => service.isOver);
  service.close();
  const { queued, refused, notKept } = queue.counts();
  const failure = failures.at(-1)?.message;
  if (output.isJson)
    output.json({ sent: count, queued, refused, not_kept: notKept, ...(failure && { failure }) });
  else {
    output.text(`Texts sent: ${count}, waiting: ${queued}, refused: ${refused}, not kept: ${notKept}.`);
    if (failure !== undefined) output.error(failure);
  }
  if (queued > 0) process.exitCode = exitCodes.unavailable;
}
