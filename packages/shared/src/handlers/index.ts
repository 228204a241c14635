export { CursorCodec, invalidCursor } from './cursor.ts';
export {
  type Answer,
  type BodyPreparations,
  type Caller,
  type Handlers,
  type JsonAnswer,
  jsonAnswer,
  type RemoteTarget,
} from './handler.ts';
export { jsonSteps, longAnswer, longPage } from './long-answer.ts';
export { scopePath } from './paths.ts';
