import { createRequire } from 'node:module';
import { StartRefusedError } from '@continuity/kernel/process';
import type Runtime from 'onnxruntime-node';

/**
 * Loads ONNX Runtime. It is looked up from this source file, also by the bundled program, because its binaries lie beside its modules.
 * Throws a `StartRefusedError` if it has no binary for this platform, or if the binary cannot be loaded.
 */
export function loadRuntime(): typeof Runtime {
  try {
    return createRequire(import.meta.url)('onnxruntime-node') as typeof Runtime;
  } catch (error) {
    const { code = 'unknown error', message } = error as NodeJS.ErrnoException;
    const [cause = ''] = message.split('\n');
    throw new StartRefusedError(
      `The runtime of the model cannot be loaded on ${process.platform} ${process.arch} (${code}: ${cause}).`,
    );
  }
}
