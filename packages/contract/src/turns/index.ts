export { cutOwnContext } from './own-context.ts';
export { boundedId, maxIdVersions, versionedId } from './source-ids.ts';
export {
  maxPartCharacters,
  maxParts,
  replaceUnstorable,
  splitText,
  toStorableText,
} from './storable-text.ts';
export {
  type CleanText,
  cleanText,
  type EmptyText,
  type RedactionLevel,
  type SourceToCapture,
  type TurnText,
  textSources,
  turnSources,
} from './turn.ts';
