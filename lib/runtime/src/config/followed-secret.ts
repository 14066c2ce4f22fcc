import type { Logger } from 'pino';
import { type FileWatch, followFiles, type ReadLatest } from './follow-files.ts';
import type { Setting } from './settings.ts';

/** A secret that may change while the process runs, if it comes from a file. */
export interface FollowedSecret<T> {
  /** The value at startup. */
  readonly value: T;
  readonly file: string | undefined;
  readonly parse: (raw: string) => T;
}

/** Makes a setting reloadable: a secret that can be rotated without a restart. */
export function reloadable<T>(setting: Setting<T>): Setting<FollowedSecret<T>> {
  const { parse, ...rest } = setting;
  return { ...rest, parse: (raw, file) => ({ value: parse(raw), file, parse }) };
}

interface Options<T, R> {
  readonly secret: FollowedSecret<T>;
  /** Makes a usable value from the secret. If it throws for a changed secret, the last good value stays. */
  readonly toResult: (value: T) => R | Promise<R>;
  readonly log: Logger;
  readonly watch?: FileWatch | undefined;
  readonly recheckMs?: number;
}

/** Follows the file of a secret, and returns the current value. Rejects if the first one is unusable. */
export async function followSecret<T, R>({ secret, toResult, ...options }: Options<T, R>): Promise<ReadLatest<R>> {
  const { value, file, parse } = secret;
  if (file === undefined) {
    const fixed = await toResult(value);
    return () => Promise.resolve(fixed);
  }
  const load = (contents: readonly Buffer[]) => toResult(parse(contents.join('').trim()));
  return followFiles({ ...options, files: [file], load });
}
