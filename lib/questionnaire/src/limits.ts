/** What a definition may hold at most; going over one is a `LIMIT_EXCEEDED` that names it. */
export const LIMITS = {
  /** Size of the definition as compact JSON in UTF-8, in bytes. */
  definitionBytes: 1024 * 1024,
  questions: 1_000,
  /** Characters of a question id. */
  id: 128,
  /** Options, rows or columns of one question. */
  options: 2_000,
  conditions: 5_000,
  /** Objects and arrays inside each other, the payload itself counted. */
  nesting: 32,
  /** Columns or options, each counted once a row, of all questions together: what a CSV, or a summary, has a place for. */
  cells: 100_000,
  /** Questions affected by all logic entries together, with sections and skips spelled out. */
  affectedQuestions: 100_000,
  /** Languages that a survey declares. */
  languages: 200,
  /** Characters of a language tag. RFC 5646, section 4.4.1, asks for room for 35. */
  languageTag: 100,
  /** What all patterns take to compile, in instructions as `patternSize` estimates them. */
  patternSize: 10_000,
  /** What all patterns can take together: instructions of each, times the length of the texts that it sees. */
  patternSteps: 3_000_000,
  /** Code points of the text given with "other". */
  otherText: 1_000,
  /** Files of one answer when the question sets no `max_files`. */
  files: 100,
  /** Problems reported of one payload. */
  problems: 1_000,
  /** Characters of the sentence that tells of a problem. */
  detail: 10_000,
} as const;
