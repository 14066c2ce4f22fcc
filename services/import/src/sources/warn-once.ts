import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Warn } from './reader.ts';

/** Warns of a thing at its first place only: what it is about is told from others by a key. */
export type WarnOnce = (key: string, warning: FieldProblem) => void;

export function createWarnOnce(warn: Warn): WarnOnce {
  const told = new Set<string>();
  return (key, warning) => {
    const one = `${warning.code} ${key}`;
    if (told.has(one)) return;
    told.add(one);
    warn(warning);
  };
}
