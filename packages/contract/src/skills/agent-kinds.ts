/** The agents whose Skill folders the service knows. */
export const agentKinds = ['codex', 'claude_code'] as const;

export type AgentKind = (typeof agentKinds)[number];
