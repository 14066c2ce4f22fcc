import { LIMITS } from '../limits.ts';
import { patternSize } from './pattern-size.ts';

/** Whether a pattern matches anywhere in a text. */
export type PatternTest = (text: string) => boolean;

/**
 * Compiles a pattern in RE2 syntax (https://github.com/google/re2/wiki/Syntax), without look-around and
 * back-references. `^` and `$` anchor it. `maxLength` is the maximum length of texts in code points.
 *
 * @returns the test, or the error in the pattern
 */
export type CompilePattern = (pattern: string, maxLength: number) => PatternTest | { readonly fault: string };

/** A compiled pattern. */
export interface PatternProgram {
  readonly test: PatternTest;
  /** Number of instructions: a match takes at most this many steps for each character. */
  programSize(): number;
}

type Compiled = PatternProgram | { readonly fault: string };

/**
 * Creates a compiler for the patterns of one survey, which limits their total cost of compiling and matching. The cost
 * of matching is program size times text length. Equal patterns are compiled once.
 */
export function limitPatterns(compileProgram: (pattern: string) => Compiled): CompilePattern {
  const compiled = new Map<string, Compiled>();
  let size = 0;
  let steps = 0;

  const compileOnce = (pattern: string): Compiled => {
    const cached = compiled.get(pattern);
    if (cached !== undefined) return cached;
    const ownSize = pattern.length > LIMITS.patternSize ? pattern.length : patternSize(pattern);
    if (size + ownSize > LIMITS.patternSize) return { fault: 'the patterns of the survey are too large to compile' };
    size += ownSize;
    const program = compileProgram(pattern);
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
}
