import { createPatternCompiler } from './answers/patterns/pattern.ts';
import { type CompiledDefinition, compileWith } from './compiled-definition.ts';

/**
 * Compiles a definition, `{schema_version, version, survey}`. It takes any JSON value and never throws.
 *
 * Invalid parts are ignored here; `checkShape` reports them. Members and logic entries with lint errors have no effect.
 */
export function compile(definition: unknown): CompiledDefinition {
  return compileWith(createPatternCompiler(), definition);
}
