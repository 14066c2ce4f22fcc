import { RE2JS, RE2JSException } from 're2js';
import { LIMITS } from '../limits.ts';

/** Whether a pattern matches anywhere in a text, in time linear in the text. */
export type PatternTest = (text: string) => boolean;

/**
 * Compiles a pattern of RE2 syntax (https://github.com/google/re2/wiki/Syntax), which has no look-around and no
 * back-references. It matches anywhere in a text; `^` and `$` anchor it. `maxLength` is the greatest length that
 * a text can have, in code points.
 *
 * @returns the test, or what is wrong with the pattern
 */
export type CompilePattern = (pattern: string, maxLength: number) => PatternTest | { readonly fault: string };

/**
 * Compiles the patterns of one survey. Linear time is still the size of the pattern times the length of the
 * text, so what all of them can take together is limited.
 */
export const createPatternCompiler = (): CompilePattern => {
  let steps = 0;
  return (pattern, maxLength) => {
    const compiled = compileRe2(pattern);
    if ('fault' in compiled) return compiled;
    const ownSteps = compiled.programSize() * maxLength;
    if (steps + ownSteps > LIMITS.patternSteps) {
      return { fault: 'the patterns of the survey are too large for texts of this length; lower max_length' };
    }
    steps += ownSteps;
    return (text) => compiled.test(text);
  };
};

const compileRe2 = (pattern: string): RE2JS | { readonly fault: string } => {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return { fault: error.message };
    throw error;
  }
};
