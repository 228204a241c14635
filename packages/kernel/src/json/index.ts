export {
  asDigest,
  bytesOfDigest,
  canonicalJson,
  canonicalJsonWithin,
  digestBytes,
  digestFromBytes,
  digestHex,
  hashBytes,
  hashHex,
} from './canonical-json.ts';
export { isJsonObject, type JsonObject, type JsonValue, joinPath, textOfJson } from './json.ts';
export { findJsonIssues, findTextProblem } from './json-issues.ts';
export { checkJsonSize } from './json-size.ts';
