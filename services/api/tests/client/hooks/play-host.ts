import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const hookProgram = fileURLToPath(
  new URL('../../../../../integrations/continuity/hooks/continuity-hook.mjs', import.meta.url),
);

/** A turn of a session. */
export interface Turn {
  id: string;
  prompt: string;
  answer: string;
}

interface Session {
  id: string;
  /** Folder of the session. */
  cwd: string;
}

export interface PlayedEvent {
  /** Arguments of the hook program. */
  args: string[];
  payload: Record<string, unknown>;
}

/** The events of a host, as its documentation describes them. */
export interface PlayedHost {
  start(session: Session): PlayedEvent;
  prompt(session: Session, turn: Turn): PlayedEvent;
  /** Writes what the host has written by then, such as a transcript. */
  answer(session: Session, turn: Turn): Promise<PlayedEvent>;
  compaction(session: Session): PlayedEvent;
  end(session: Session): PlayedEvent;
  /** The text that the host gives to the model. */
  contextOf(stdout: string): string;
}

interface SpecificOutput {
  hookSpecificOutput?: { additionalContext?: string };
  modifiedTransformedPrompt?: string;
  additionalContext?: string;
}

function contextOf(stdout: string): string {
  if (stdout === '') return '';
  const output = JSON.parse(stdout) as SpecificOutput;
  const { hookSpecificOutput, modifiedTransformedPrompt, additionalContext } = output;
  return hookSpecificOutput?.additionalContext ?? modifiedTransformedPrompt ?? additionalContext ?? '';
}

/** Claude Code 2.1 and Codex 0.171. */
function claudeLike(host: string, turnField: string, more: Record<string, unknown>): PlayedHost {
  const event = ({ id, cwd }: Session, hook_event_name: string, fields: Record<string, unknown> = {}) => ({
    args: ['--host', host],
    payload: { session_id: id, cwd, ...more, hook_event_name, ...fields },
  });
  return {
    start: (session) => event(session, 'SessionStart', { source: 'startup' }),
    prompt: (session, turn) =>
      event(session, 'UserPromptSubmit', { [turnField]: turn.id, prompt: turn.prompt }),
    answer: async (session, turn) =>
      event(session, 'Stop', {
        ...{ [turnField]: turn.id, stop_hook_active: false },
        last_assistant_message: turn.answer,
      }),
    compaction: (session) => event(session, 'PreCompact', { trigger: 'auto', custom_instructions: '' }),
    end: (session) => event(session, 'SessionEnd', { reason: 'other' }),
    contextOf,
  };
}

/** Gemini CLI: turns have the id of the user's message in the transcript. */
const gemini: PlayedHost = (() => {
  const transcript = ({ cwd }: Session) => join(cwd, 'chats', 'session.json');
  const event = (session: Session, hook_event_name: string, fields: Record<string, unknown> = {}) => ({
    args: ['--host', 'gemini'],
    payload: {
      session_id: session.id,
      transcript_path: transcript(session),
      cwd: session.cwd,
      hook_event_name,
      timestamp: new Date().toISOString(),
      ...fields,
    },
  });
  return {
    start: (session) => event(session, 'SessionStart', { source: 'startup' }),
    prompt: (session, { prompt }) => event(session, 'BeforeAgent', { prompt }),
    answer: async (session, { id, prompt, answer }) => {
      await mkdir(join(session.cwd, 'chats'), { recursive: true });
      const messages = [
        { id: 'before', type: 'user', content: 'An older prompt.' },
        { id, type: 'user', content: [{ text: prompt }] },
        { id: `${id}-reply`, type: 'gemini', content: answer, toolCalls: [] },
      ];
      await writeFile(transcript(session), JSON.stringify({ sessionId: session.id, messages }));
      return event(session, 'AfterAgent', { prompt, prompt_response: answer, stop_hook_active: false });
    },
    compaction: (session) => event(session, 'PreCompress', { trigger: 'auto' }),
    end: (session) => event(session, 'SessionEnd', { reason: 'exit' }),
    contextOf,
  };
})();

/** Copilot CLI: the end of a turn names the transcript, and no text. */
const copilot: PlayedHost = (() => {
  const event = ({ id, cwd }: Session, name: string, fields: Record<string, unknown> = {}) => ({
    args: ['--host', 'copilot', '--event', name],
    payload: { sessionId: id, timestamp: Date.now(), cwd, ...fields },
  });
  return {
    start: (session) => event(session, 'sessionStart', { source: 'new' }),
    prompt: (session, { prompt }) =>
      event(session, 'userPromptTransformed', { prompt, transformedPrompt: `<now/>\n${prompt}` }),
    answer: async (session, { id, prompt, answer }) => {
      await mkdir(session.cwd, { recursive: true });
      const transcriptPath = join(session.cwd, 'events.jsonl');
      const events = [
        { id: '1', type: 'session.start', data: { sessionId: session.id, context: { cwd: session.cwd } } },
        { id, type: 'user.message', data: { content: prompt, source: 'user' } },
        { id: '3', type: 'assistant.message', data: { messageId: 'm1', content: 'Let me see.' } },
        { id: '4', type: 'tool.execution_complete', data: { result: { content: 'output' } } },
        { id: '5', type: 'assistant.message', data: { messageId: 'm2', content: answer } },
      ];
      await writeFile(transcriptPath, events.map((one) => `${JSON.stringify(one)}\n`).join(''));
      return event(session, 'agentStop', { transcriptPath, stopReason: 'end_turn' });
    },
    compaction: (session) => event(session, 'preCompact', { trigger: 'auto', customInstructions: '' }),
    end: (session) => event(session, 'sessionEnd', { reason: 'complete' }),
    contextOf,
  };
})();

export const playedHosts: Record<string, PlayedHost> = {
  'claude-code': claudeLike('claude-code', 'prompt_id', { permission_mode: 'default' }),
  codex: claudeLike('codex', 'turn_id', { model: 'gpt-5.6', transcript_path: null }),
  gemini,
  copilot,
};

export interface HookRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the hook program for an event, and kills it after a while if that is given. */
export async function runHook(
  { args, payload }: PlayedEvent,
  env: Record<string, string>,
  killAfterMs?: number,
): Promise<HookRun> {
  const child = spawn(process.execPath, [hookProgram, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(payload));
  const killer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  clearTimeout(killer);
  return { code, stdout, stderr };
}
