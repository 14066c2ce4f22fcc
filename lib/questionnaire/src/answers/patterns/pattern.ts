import { RE2JS, RE2JSException } from 're2js';
import { type CompilePattern, limitPatterns } from './limit-patterns.ts';
import { explainUnsupported } from './pattern-size.ts';

/** Creates a compiler for the patterns of one survey. Matching takes linear time. */
export function createPatternCompiler(): CompilePattern {
  return limitPatterns(compileRe2);
}

function compileRe2(pattern: string) {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return { fault: explainUnsupported(pattern) ?? error.message };
    throw error;
  }
}
