export { highestId, isServerId, lowestId, newId, timeOfId } from './ids.ts';
export { toNfc, truncateMarkRuns } from './nfc.ts';
export {
  compareCodePoints,
  estimateTokens,
  excerptOf,
  firstCodePoints,
  firstUtf16Units,
  normalizeText,
  quoteTruncated,
  tokenEstimator,
  toOneLine,
  utf8Length,
} from './text.ts';
