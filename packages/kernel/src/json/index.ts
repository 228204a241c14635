export { canonicalJson, canonicalJsonWithin, tooManyBytes } from './canonical-json.ts';
export {
  asDigest,
  bytesOfDigest,
  digestBytes,
  digestFromBytes,
  digestHex,
  hashBytes,
  hashHex,
} from './digest.ts';
export { isJsonObject, type JsonObject, type JsonValue, joinPath, textOfJson } from './json.ts';
export { findJsonIssues, findTextProblem } from './json-issues.ts';
export { checkJsonSize } from './json-size.ts';
