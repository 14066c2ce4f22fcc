import { followFiles } from '@survey/runtime/config/follow-files';
import type { Logger } from 'pino';
import type { KeyLoads } from './key-loads.ts';
import { readKeySet } from './key-set.ts';
import type { KeySource } from './key-source.ts';

interface Options {
  readonly file: string;
  readonly algorithms: readonly string[];
  readonly loads: KeyLoads;
  readonly log: Logger;
  readonly now?: () => number;
}

/**
 * Reads keys from a mounted JWKS file, again whenever it changes. If a later read fails, the last keys stay valid.
 * Rejects if the first read fails or finds no usable key.
 */
export async function createFileKeys({ file, algorithms, loads, ...options }: Options): Promise<KeySource> {
  const latest = await followFiles({
    ...options,
    files: [file],
    load: (contents) => loads.count(() => readKeySet(contents.join(''), algorithms, options.log)),
  });
  let keySet = await latest();
  if (keySet.isEmpty) throw new Error(`${file} has no usable key`);

  async function read() {
    keySet = await latest();
    return keySet;
  }
  return { current: () => keySet, latest: read, reload: read };
}
