import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Warn } from './reader.ts';

/** Maximum number of keys in memory. Files choose keys, such as names of members; reports keep far fewer warnings. */
const MAX_KEYS = 10_000;
const MAX_KEY_LENGTH = 200;

/**
 * Emits only the first warning of a code and key, for warnings that can occur at many places of a file. Keys with the
 * same first 200 characters are one key.
 */
export type WarnOnce = (key: string, warning: FieldProblem) => void;

export function createWarnOnce(warn: Warn): WarnOnce {
  const reported = new Set<string>();
  return (key, warning) => {
    const one = `${warning.code} ${key.slice(0, MAX_KEY_LENGTH)}`;
    if (reported.has(one) || reported.size >= MAX_KEYS) return;
    reported.add(one);
    warn(warning);
  };
}
