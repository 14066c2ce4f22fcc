/** A definition that has a problem, what it is an instance of, and the path where the problem is reported. */
export type LintCase = readonly [what: string, definition: unknown, path: string];
