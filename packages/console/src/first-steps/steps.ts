import type { RequestTo } from '../api/service.ts';
import { type Preferences, preferences } from '../ui/preferences.ts';

/** Scope of the steps unless a person names another one. */
export const defaultScope = 'first-steps';

interface Sample {
  /** Id of the note. Each language has its own: a note never changes. */
  noteId: string;
  proposalKey: string;
  note: string;
  question: string;
  task: string;
  proposal: RequestTo<'proposeExperience'>['proposal'];
}

const samples: Record<Preferences['language'], Sample> = {
  en: {
    noteId: 'first-steps-note',
    proposalKey: 'first-steps',
    note: 'We decided to use Postgres 18 for every environment. Never log tokens. After a change of the schema, the client must be generated again.',
    question: 'which postgres version do we use?',
    task: 'change the schema of the public API',
    proposal: {
      situation: 'The schema of the public API changed.',
      action: 'The client was generated again before the tests ran.',
      outcome: 'All contract tests passed.',
      lesson: 'Generate the client again after each change of the schema.',
    },
  },
  'zh-CN': {
    noteId: 'first-steps-note-zh',
    proposalKey: 'first-steps-zh',
    note: '我们决定所有环境都使用 Postgres 18。日志中不得包含令牌。数据库架构变更之后，必须重新生成客户端。',
    question: '我们使用哪个版本的 Postgres？',
    task: '更改公共 API 的数据库架构',
    proposal: {
      situation: '公共 API 的数据库架构发生了变更。',
      action: '运行测试之前，重新生成了客户端。',
      outcome: '契约测试全部通过。',
      lesson: '每次数据库架构变更之后，都要重新生成客户端。',
    },
  },
};

/** The texts that the steps send, in the language of the page. */
export const sample = (): Sample => samples[preferences.value.language];

/** The requests of the steps. Each may be sent twice: it changes nothing more. */
export const captureOf = (scope_id: string): RequestTo<'captureContentSource'> => ({
  scope_id,
  source_id: sample().noteId,
  content: sample().note,
});
export const traceOf = (scope_id: string): RequestTo<'traceSource'> => ({
  scope_id,
  source: { name: 'content', source_id: sample().noteId },
});
export const flushOf = (scope_id: string): RequestTo<'flushMemory'> => ({ scope_id });
export const searchOf = (scope_id: string): RequestTo<'searchMemory'> => ({
  scope_id,
  query: sample().question,
});
export const explainOf = (scope_id: string): RequestTo<'explainContext'> => ({
  scope_id,
  query: sample().task,
  max_bytes: 2000,
});
export const proposalOf = (scope_id: string): RequestTo<'proposeExperience'> => ({
  scope_id,
  proposal: sample().proposal,
  source_refs: [{ name: 'content', source_id: sample().noteId }],
  artifact_refs: [],
});
