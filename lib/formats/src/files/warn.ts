import type { FieldProblem } from '@survey/runtime/errors/app-error';

/**
 * Receives warnings about changed or lost data. The path is a JSON pointer into the file. If the file is not JSON, the
 * detail names the location. A value of this type is called `warn`: call it for a warning that can occur once in a file.
 * For the others, make a `WarnOnce`, which is called `warnOnce`.
 */
export type Warn = (warning: FieldProblem) => void;
