import { stat } from 'node:fs/promises';

/** Whether a file or directory has the path. False also where this process may not look. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
