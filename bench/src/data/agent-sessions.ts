import { createWriteStream } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { seededRandom } from './random.ts';
import { makeText } from './texts.ts';

/** Sizes of a corpus of agent sessions. */
export interface SessionCorpus {
  projects: number;
  sessionsPerProject: number;
  turnsPerSession: number;
  /** Bytes of tool output in each turn. */
  outputBytes: number;
}

const minute = 60_000;
const firstTurn = Date.UTC(2026, 0, 1);

/**
 * Writes sessions of Claude Code below a home folder: for each turn a prompt, a tool output and an answer. The last answer of the newest
 * session, in the first project, is `statement`. Returns the folder of that project.
 */
export async function writeSessions(
  home: string,
  { projects, sessionsPerProject, turnsPerSession, outputBytes }: SessionCorpus,
  statement: string,
): Promise<string> {
  const output = 'x'.repeat(outputBytes);
  const random = seededRandom(70);
  const texts = Array.from({ length: 2_000 }, (_, index) => makeText(random, index % 2 === 0 ? 300 : 1_200));
  const folderOf = (project: number) => join(home, 'work', `project-${project}`);
  for (let project = 0; project < projects; project += 1) {
    await mkdir(folderOf(project), { recursive: true });
    const sessions = join(home, '.claude', 'projects', `-work-project-${project}`);
    await mkdir(sessions, { recursive: true });
    for (let session = 0; session < sessionsPerProject; session += 1) {
      const path = join(sessions, `${idOf(project, session)}.jsonl`);
      const isNewest = project === 0 && session === sessionsPerProject - 1;
      const records = function* () {
        for (let turn = 0; turn < turnsPerSession; turn += 1) {
          const number = (project * sessionsPerProject + session) * turnsPerSession + turn;
          const isLast = isNewest && turn === turnsPerSession - 1;
          const text = (index: number) => texts[index % texts.length] ?? '';
          const at = firstTurn + (session * turnsPerSession + turn) * minute;
          const common = { sessionId: idOf(project, session), cwd: folderOf(project), isSidechain: false };
          const record = (type: string, offset: number, more: object) =>
            `${JSON.stringify({ type, uuid: `${number}-${offset}-${idOf(project, session)}`, ...more, timestamp: new Date(at + offset * 1_000).toISOString(), ...common })}\n`;
          yield record('user', 0, { message: { role: 'user', content: text(2 * number) } });
          yield record('user', 1, {
            message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: output }] },
          });
          const answer = isLast ? statement : text(2 * number + 1);
          yield record('assistant', 2, {
            message: { id: `m-${number}`, role: 'assistant', content: [{ type: 'text', text: answer }] },
          });
        }
      };
      await pipeline(Readable.from(records()), createWriteStream(path));
      const written = new Date(
        firstTurn + (session + 1) * turnsPerSession * minute + (project === 0 ? minute : 0),
      );
      await utimes(path, written, written);
    }
  }
  return folderOf(0);
}

function idOf(project: number, session: number): string {
  return `00000000-0000-4000-8000-${String(project * 10_000 + session).padStart(12, '0')}`;
}

/** Writes an export of ChatGPT: conversations of a prompt, outputs of a tool of `outputBytes` together, and an answer. */
export async function writeChats(path: string, conversations: number, outputBytes: number): Promise<void> {
  const output = 'y'.repeat(outputBytes);
  const node = (id: string, parent: string | null, role: string, text: string, at: number) => ({
    [id]: {
      id,
      parent,
      children: [],
      message: {
        id,
        author: { role },
        create_time: at,
        content: { content_type: 'text', parts: [text] },
        recipient: 'all',
      },
    },
  });
  const parts = function* () {
    for (let number = 0; number < conversations; number += 1) {
      const at = firstTurn / 1_000 + (conversations - number) * 60;
      const id = (message: number) => `${idOf(number, message)}`;
      const mapping = {
        ...node(id(1), null, 'user', `Question ${number}?`, at),
        ...node(id(2), id(1), 'tool', output, at + 1),
        ...node(id(3), id(2), 'assistant', `Answer ${number}.`, at + 2),
      };
      const conversation = {
        conversation_id: id(0),
        create_time: at,
        update_time: at + 2,
        current_node: id(3),
        mapping,
      };
      yield `${number === 0 ? '[' : ','}${JSON.stringify(conversation)}`;
    }
    yield ']';
  };
  await pipeline(Readable.from(parts()), createWriteStream(path));
}
