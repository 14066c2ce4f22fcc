import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Warn } from './reader.ts';

/** Emits only the first warning of a code and key. */
export type WarnOnce = (key: string, warning: FieldProblem) => void;

export function createWarnOnce(warn: Warn): WarnOnce {
  const reported = new Set<string>();
  return (key, warning) => {
    const one = `${warning.code} ${key}`;
    if (reported.has(one)) return;
    reported.add(one);
    warn(warning);
  };
}
