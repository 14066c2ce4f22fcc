/** A definition with a problem, the name of the case, and the path of the problem. */
export type LintCase = readonly [name: string, definition: unknown, path: string];
