import { access } from 'node:fs/promises';

/** Whether there is a file or folder with this path. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
