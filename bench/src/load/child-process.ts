import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A child process that runs one task after the other. */
export interface Child<Task, Answer> {
  run(task: Task): Promise<Answer>;
  close(): Promise<void>;
}

type Reply<Answer> = { answer: Answer } | { failure: string };

/** Starts a file, relative to this one, as a child process. It ends when this process ends. */
export function startChild<Task extends object, Answer>(file: string): Child<Task, Answer> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  // The default serialization is JSON, which has no Buffer.
  const child = fork(path, { serialization: 'advanced' });
  return {
    run: async (task) => {
      child.send(task);
      const reply = await nextReply<Answer>(child, file);
      if ('failure' in reply) throw new Error(`${file} failed: ${reply.failure}`);
      return reply.answer;
    },
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function nextReply<Answer>(child: ChildProcess, file: string): Promise<Reply<Answer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply<Answer>>();
  const onExit = () => reject(new Error(`${file} ended without an answer.`));
  child.once('message', resolve);
  child.once('exit', onExit);
  try {
    return await promise;
  } finally {
    child.off('message', resolve);
    child.off('exit', onExit);
  }
}

/** In the child: answers each task until the parent disconnects. */
export function serveTasks<Task, Answer>(work: (task: Task) => Promise<Answer>): void {
  const answer = async (task: Task): Promise<Reply<Answer>> => {
    try {
      return { answer: await work(task) };
    } catch (error) {
      return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (task: Task) => {
    void answer(task).then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => process.exit(0));
}
