type JsonProblem = 'MALFORMED' | 'DUPLICATE_MEMBER' | 'FORBIDDEN_NAME' | 'NUMBER_OUT_OF_RANGE' | 'TOO_DEEP';

/** Rejected JSON. `path` is the JSON pointer (RFC 6901) of the problem; empty if the text is not JSON. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly problem: JsonProblem;
  readonly path: string;
  /** Where the text stops to be JSON: the index of a character. Undefined for other problems. */
  readonly index: number | undefined;

  constructor(problem: JsonProblem, path: string, index?: number) {
    // The path stays out of the message: it has names that the caller chose, and messages are logged.
    super(problem);
    this.problem = problem;
    this.path = path;
    this.index = index;
  }
}
