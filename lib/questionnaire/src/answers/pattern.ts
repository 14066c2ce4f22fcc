import { RE2JS, RE2JSException } from 're2js';
import { LIMITS } from '../limits.ts';

/** Whether a pattern matches anywhere in a text, in time linear in the text. */
export type PatternTest = (text: string) => boolean;

/**
 * Compiles a pattern of RE2 syntax (https://github.com/google/re2/wiki/Syntax), which has no look-around and no
 * back-references. It matches anywhere in a text; `^` and `$` anchor it.
 *
 * @returns the test, or what is wrong with the pattern
 */
export const compilePattern = (pattern: string): PatternTest | { readonly fault: string } => {
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() > LIMITS.patternInstructions) return { fault: 'the pattern is too large' };
    return (text) => compiled.test(text);
  } catch (error) {
    if (error instanceof RE2JSException) return { fault: error.message };
    throw error;
  }
};
