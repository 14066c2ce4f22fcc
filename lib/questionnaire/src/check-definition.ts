import { createBrowserPatternCompiler } from './answers/patterns/browser-pattern.ts';
import { lintWith } from './compiled-definition.ts';
import type { Lint } from './lint/report.ts';

/**
 * Checks a definition, `{schema_version, version, survey}`, without the platform: all errors that block storing or
 * publishing, and warnings. It takes any JSON value and never throws. Patterns are checked with `RegExp` in place of
 * the server's RE2.
 */
export function checkDefinition(payload: unknown): Lint {
  return lintWith(createBrowserPatternCompiler(), payload);
}
