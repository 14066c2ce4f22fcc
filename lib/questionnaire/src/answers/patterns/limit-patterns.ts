import { LIMITS } from '../../limits.ts';
import { patternSize } from './pattern-size.ts';

/** Whether a pattern matches anywhere in a text. */
export interface PatternTest {
  (text: string): boolean;
  /** A match takes at most this many steps for each character. */
  readonly size: number;
}

/**
 * Compiles a pattern in RE2 syntax (https://github.com/google/re2/wiki/Syntax), without look-around and
 * back-references. `^` and `$` anchor it. `maxLength` is the maximum length of texts in code points.
 *
 * @returns the test, or the error in the pattern
 */
export type CompilePattern = (pattern: string, maxLength: number) => PatternTest | { readonly fault: string };

/** An instruction of RE2 takes about as long as the comparison of four characters. */
const STEPS_PER_INSTRUCTION = 4;

/** A compiled pattern. */
export interface PatternProgram {
  test(text: string): boolean;
  /** Number of instructions: a match runs each of them at most once for each character. */
  programSize(): number;
}

/**
 * Creates a compiler for the patterns of one survey, which limits their total size, and the steps of each one. The lint
 * limits the steps of all together. Equal patterns are compiled once.
 */
export function limitPatterns(
  compileProgram: (pattern: string) => PatternProgram | { readonly fault: string },
): CompilePattern {
  const compiled = new Map<string, ReturnType<CompilePattern>>();
  let size = 0;

  const compileOnce = (pattern: string) => {
    const cached = compiled.get(pattern);
    if (cached !== undefined) return cached;
    const ownSize = pattern.length > LIMITS.patternSize ? pattern.length : patternSize(pattern);
    if (size + ownSize > LIMITS.patternSize) return { fault: 'the patterns of the survey are too large to compile' };
    size += ownSize;
    const program = compileProgram(pattern);
    const result =
      'fault' in program
        ? program
        : Object.assign((text: string) => program.test(text), { size: program.programSize() * STEPS_PER_INSTRUCTION });
    compiled.set(pattern, result);
    return result;
  };

  return (pattern, maxLength) => {
    const program = compileOnce(pattern);
    if ('fault' in program || program.size * maxLength <= LIMITS.steps) return program;
    return { fault: 'the pattern is too large for texts of this length; lower max_length' };
  };
}
