import type { FieldProblem } from '@survey/runtime/errors/app-error';

/**
 * Receives warnings about changed or lost data. The path is a JSON pointer into the file. If the file is not JSON, the
 * detail names the location. Call `warn` only for a warning that can occur once in a file; else make a `WarnOnce`.
 */
export type Warn = (warning: FieldProblem) => void;
