export { CursorCodec, invalidCursor } from './cursor.ts';
export {
  type Answer,
  type BodyPreparations,
  type Caller,
  type Handlers,
  type JsonAnswer,
  jsonAnswer,
  jsonSteps,
  longAnswer,
  longPage,
  type RemoteTarget,
} from './handler.ts';
export { scopePath } from './paths.ts';
