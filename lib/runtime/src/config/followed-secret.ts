import type { Logger } from 'pino';
import { followFiles, type Latest } from './follow-files.ts';
import type { Setting } from './settings.ts';

/** A secret that may change while the process runs, when it comes from a file. */
export interface FollowedSecret<T> {
  /** What it was when the configuration was read. */
  readonly value: T;
  readonly file: string | undefined;
  readonly parse: (raw: string) => T;
}

/** The same setting, for a secret that is to be exchanged without a restart. */
export function followed<T>(setting: Setting<T>): Setting<FollowedSecret<T>> {
  const { parse, ...rest } = setting;
  return { ...rest, parse: (raw, file) => ({ value: parse(raw), file, parse }) };
}

interface Options<T, R> {
  readonly secret: FollowedSecret<T>;
  /** Makes of the secret what is needed; a changed one that it throws at is not taken into use. */
  readonly use: (value: T) => R | Promise<R>;
  readonly log: Logger;
  readonly recheckMs?: number;
}

/** What is made of a secret, always the one that its file holds now. Rejects when the first cannot be used. */
export async function followSecret<T, R>({ secret, use, ...options }: Options<T, R>): Promise<Latest<R>> {
  const { value, file, parse } = secret;
  if (file === undefined) {
    const fixed = await use(value);
    return () => Promise.resolve(fixed);
  }
  const load = (contents: readonly Buffer[]) => use(parse(contents.join('').trim()));
  return followFiles({ ...options, files: [file], load });
}
