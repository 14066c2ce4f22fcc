/** Why JSON was not taken. */
type JsonProblem = 'MALFORMED' | 'DUPLICATE_MEMBER' | 'FORBIDDEN_NAME' | 'NUMBER_OUT_OF_RANGE' | 'TOO_DEEP';

/** JSON that was not taken. `path` is the JSON pointer (RFC 6901) of what is at fault; empty when it is no JSON at all. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly problem: JsonProblem;
  readonly path: string;

  constructor(problem: JsonProblem, path: string) {
    // Not the path: names are the caller's words, and messages are logged.
    super(problem);
    this.problem = problem;
    this.path = path;
  }
}
