import { z } from 'zod';
import { call, signalOf } from '../call.ts';
import { UnexpectedAnswerError } from '../errors.ts';
import { agentKind, targetId } from './messages.ts';
import { clientOptionsOf, type ServiceAddress } from './transport.ts';

const enrolled = z.object({ target_id: targetId, agent_kind: agentKind, credential: z.string().min(32) });

const operation = {
  id: 'enroll_remote_skill_target',
  method: 'POST',
  path: '/v1/skill/remote/target/enroll',
  repeat: 'unsafe',
} as const;

/** Exchanges a one-time code for the credential of its target. Throws the errors of the client. */
export async function redeemCode(
  address: ServiceAddress,
  request: Record<string, unknown>,
): Promise<z.infer<typeof enrolled>> {
  const client = clientOptionsOf(address);
  const answer = enrolled.safeParse(await call(client, operation, request, {}, signalOf(client, {})));
  if (answer.success) return answer.data;
  throw new UnexpectedAnswerError(200);
}
