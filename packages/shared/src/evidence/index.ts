export {
  type EvidencePlace,
  type FoundEvidence,
  findEvidence,
  findEvidenceOf,
  requireEvidence,
} from './find-evidence.ts';
export {
  contentRef,
  handoffRef,
  handoffRefOrNull,
  presentArtifactRef,
  presentSourceRef,
  presentSourceTypeRef,
  toSourceRef,
  toSourceTypeRef,
} from './references.ts';
export { decodeIdHead, decodeShortId, encodeIdHead, encodeShortId } from './short-id.ts';
