import { explainContext } from './explain.ts';
import { prepareContext } from './operations.ts';

export type { EmptyReason } from './empty-words.ts';
export * from './explain.ts';
export * from './operations.ts';

export const contextOperations = { prepare_context: prepareContext, explain_context: explainContext };
