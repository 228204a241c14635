import { prepareCapture } from './capture.ts';
import { prepareCreate } from './create.ts';

// Imports small files of the kernel one by one: the threads that read large bodies load this index.
export { builtInSourceTypes } from '../built-in-types.ts';
export { textEvidence } from '../evidence-text.ts';
export { type PreparedCapture, prepareCapture } from './capture.ts';
export {
  maxContentBytes,
  type WrittenContent,
  writeContent,
} from './written-content.ts';

/** Preparations of the bodies of Sources, by operation. */
export const sourceBodies = {
  capture_content_source: prepareCapture,
  create_source: prepareCreate,
};
