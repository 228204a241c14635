import { stateFolder } from '../local/user-state.ts';
import { Hook } from './hook.ts';
import type { HostEvent } from './hosts/index.ts';
import { lazyModules } from './lazy-modules.ts';
import { report, requestMs, startBackground } from './processes.ts';
import { readSettings } from './settings.ts';

interface Part {
  id: string;
  sessionID: string;
  messageID: string;
  type: string;
  text?: string;
  synthetic?: boolean;
  ignored?: boolean;
}

interface Message {
  info: { id: string; role: string };
  parts: Part[];
}

/** What this plugin uses of OpenCode. */
interface OpenCode {
  directory: string;
  client: {
    session: {
      get(request: { path: { id: string } }): Promise<{ data?: { parentID?: string } }>;
      messages(request: { path: { id: string } }): Promise<{ data?: Message[] }>;
    };
  };
}

interface OpenCodeEvent {
  type: string;
  properties: { sessionID?: string; info?: { id: string; parentID?: string } };
}

/** The plugin of OpenCode, which calls it inside its own process (spec 70 §4.1). No failure reaches the host. */
export async function openCodePlugin({ client, directory }: OpenCode) {
  const sessions = new Sessions(client);
  const handle = async (event: Partial<HostEvent> & Pick<HostEvent, 'kind' | 'session'>) => {
    const hook = new Hook({
      host: 'opencode',
      settings: readSettings(process.env, report),
      state: stateFolder(process.env),
      signal: AbortSignal.timeout(requestMs),
      report,
      startBackground: () => startBackground('opencode'),
    });
    return await hook.handle({ turn: null, prompt: null, answer: null, directory, ...event }, true);
  };
  return {
    'chat.message': guarded(
      async ({ sessionID }: { sessionID: string }, output: { message: { id: string }; parts: Part[] }) => {
        if (!(await sessions.isOfUser(sessionID))) return;
        const { id } = output.message;
        const before = sessions.begin(sessionID) ? await handle({ kind: 'start', session: sessionID }) : null;
        const prompt = textOf(output.parts);
        const added = await handle({ kind: 'prompt', session: sessionID, turn: id, prompt });
        const text = [before, added].filter((context) => context !== null).join('\n\n');
        if (text !== '')
          output.parts.push({
            ...{ id: partId(), sessionID, messageID: id, type: 'text', text },
            synthetic: true,
          });
      },
    ),
    'experimental.session.compacting': guarded(
      async ({ sessionID: session }: { sessionID: string }, output: { context: string[] }) => {
        const context = await handle({ kind: 'compaction', session });
        if (context !== null) output.context.push(context);
      },
    ),
    event: guarded(async ({ event: { type, properties } }: { event: OpenCodeEvent }) => {
      const session = properties.sessionID ?? properties.info?.id;
      if (session === undefined) return;
      if (type === 'session.created') sessions.created(session, properties.info?.parentID);
      else if (type === 'session.deleted') await handle({ kind: 'end', session });
      else if (type === 'session.idle' && (await sessions.isOfUser(session))) {
        const { data = [] } = await client.session.messages({ path: { id: session } });
        await handle({ kind: 'answer', session, ...lastAnswer(data) });
      }
    }),
    dispose: guarded(async () => {
      for (const session of sessions.begun) await handle({ kind: 'end', session });
    }),
  };
}

/** The sessions of this process. Those of sub-agents have a parent, and are left alone. */
class Sessions {
  readonly begun = new Set<string>();
  readonly #client: OpenCode['client'];
  readonly #isOfUser = new Map<string, boolean>();

  constructor(client: OpenCode['client']) {
    this.#client = client;
  }

  created(session: string, parent: string | undefined): void {
    this.#isOfUser.set(session, parent === undefined);
  }

  /** Returns true for the first prompt of a session in this process. */
  begin(session: string): boolean {
    if (this.begun.has(session)) return false;
    this.begun.add(session);
    return true;
  }

  async isOfUser(session: string): Promise<boolean> {
    const known = this.#isOfUser.get(session);
    if (known !== undefined) return known;
    const { data } = await this.#client.session.get({ path: { id: session } });
    this.created(session, data?.parentID);
    return data?.parentID === undefined;
  }
}

/** The agent's last message with text after the last prompt, and the id of the prompt. */
function lastAnswer(messages: Message[]): Pick<HostEvent, 'turn' | 'answer'> {
  const asked = messages.findLastIndex(({ info, parts }) => info.role === 'user' && textOf(parts) !== null);
  const answers = messages.slice(asked + 1).flatMap(({ info, parts }) => {
    return (info.role === 'assistant' && textOf(parts)) || [];
  });
  return { turn: messages[asked]?.info.id ?? null, answer: answers.at(-1) ?? null };
}

/** What a person or the model wrote; null if that is blank. */
function textOf(parts: Part[]): string | null {
  const texts = parts.flatMap(({ type, text, synthetic, ignored }) => {
    return (type === 'text' && !synthetic && !ignored && text) || [];
  });
  const joined = texts.join('\n');
  return joined.trim() === '' ? null : joined;
}

/** An id as OpenCode makes them: they sort by time. */
function partId(): string {
  const time = (BigInt(Date.now()) * 0x1000n + 0xfffn) & 0xffff_ffff_ffffn;
  return `prt_${time.toString(16).padStart(12, '0')}${lazyModules.crypto.randomBytes(7).toString('hex')}`;
}

function guarded<Arguments extends unknown[]>(run: (...given: Arguments) => Promise<void>) {
  return async (...given: Arguments): Promise<void> => {
    try {
      await run(...given);
    } catch (error) {
      report((error as Error).message);
    }
  };
}
