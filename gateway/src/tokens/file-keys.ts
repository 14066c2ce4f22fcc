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
 * Keys from a mounted JWKS file, read again when it changes; the last good ones stay in force when it cannot be read
 * any more. Rejects when it cannot be read at first, or holds no key that is believed.
 */
export async function createFileKeys({ file, algorithms, loads, ...options }: Options): Promise<KeySource> {
  const latest = await followFiles({
    ...options,
    files: [file],
    load: (contents) => loads.count(() => readKeySet(contents.join(''), algorithms, options.log)),
  });
  let known = await latest();
  if (known.isEmpty) throw new Error(`no key in ${file} is believed`);

  async function look() {
    known = await latest();
    return known;
  }
  return { current: () => known, latest: look, renewed: look };
}
