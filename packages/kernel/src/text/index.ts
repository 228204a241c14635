export { isServerId, lowestId, newId } from './ids.ts';
export { toNfc, truncateMarkRuns } from './nfc.ts';
export {
  compareCodePoints,
  excerptOf,
  firstCodePoints,
  firstUtf16Units,
  normalizeText,
  quoteTruncated,
  toOneLine,
  utf8Length,
} from './text.ts';
export { estimateTokens, tokenEstimator } from './tokens.ts';
