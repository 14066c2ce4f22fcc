import { join } from 'node:path';

/**
 * The folder with the files that the gateway serves: the root of the repository. In an image, this file is in the bundle
 * `process/dist`, and the folder has only these files.
 */
export const root = join(import.meta.dirname, '../..');
