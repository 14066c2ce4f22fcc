import { RE2JS, RE2JSException } from 're2js';
import { LIMITS } from '../limits.ts';
import { patternSize } from './pattern-size.ts';

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
 * Compiles the patterns of one survey. Linear time is still the size of the program times the length of the
 * text, so what all of them can take together is limited, and so is what compiling them takes. A pattern that
 * is there several times is compiled once.
 */
export const createPatternCompiler = (): CompilePattern => {
  const compiled = new Map<string, Compiled>();
  let size = 0;
  let steps = 0;

  const compileOnce = (pattern: string): Compiled => {
    const known = compiled.get(pattern);
    if (known !== undefined) return known;
    const ownSize = pattern.length > LIMITS.patternSize ? pattern.length : patternSize(pattern);
    if (size + ownSize > LIMITS.patternSize) return { fault: 'the patterns of the survey are too large to compile' };
    size += ownSize;
    const program = compileRe2(pattern);
    compiled.set(pattern, program);
    return program;
  };

  return (pattern, maxLength) => {
    const program = compileOnce(pattern);
    if ('fault' in program) return program;
    const ownSteps = program.programSize() * maxLength;
    if (steps + ownSteps > LIMITS.patternSteps) {
      return { fault: 'the patterns of the survey are too large for texts of this length; lower max_length' };
    }
    steps += ownSteps;
    return (text) => program.test(text);
  };
};

type Compiled = RE2JS | { readonly fault: string };

const compileRe2 = (pattern: string): Compiled => {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return { fault: error.message };
    throw error;
  }
};
