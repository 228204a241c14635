import { prepareCapture, prepareCreate } from './content.ts';

// Imports small files of the kernel one by one: the threads that read large bodies load this index.
export { builtInSourceTypes, textEvidence } from '../source.ts';
export {
  maxContentBytes,
  type PreparedCapture,
  prepareCapture,
  type WrittenContent,
  writeContent,
} from './content.ts';

/** Preparations of the bodies of Sources, by operation. */
export const sourceBodies = {
  capture_content_source: prepareCapture,
  create_source: prepareCreate,
};
