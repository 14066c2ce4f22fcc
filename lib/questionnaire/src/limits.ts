/** Limits of a definition. `LIMIT_EXCEEDED` reports the exceeded one. */
export const LIMITS = {
  /** Size of the definition as compact JSON in UTF-8, in bytes. */
  definitionBytes: 1024 * 1024,
  questions: 1_000,
  /** Length of a question id in characters. */
  id: 128,
  /** Options, rows or columns of one question. */
  options: 2_000,
  conditions: 5_000,
  /** Nesting depth of objects and arrays, including the payload itself. */
  nesting: 32,
  /** Cells of all questions together: columns or options, times rows. CSV exports and summaries grow with them. */
  cells: 100_000,
  /** Questions that logic entries affect, summed over all entries. Sections and skips count as their questions. */
  affectedQuestions: 100_000,
  /** Declared languages. */
  languages: 200,
  /** Length of a language tag in characters. RFC 5646, section 4.4.1, requires at least 35. */
  languageTag: 100,
  /** Size of all patterns together, in instructions as estimated by `patternSize`. */
  patternSize: 10_000,
  /** Steps of logic and patterns for one response: see `AnswerSteps`. */
  steps: 12_000_000,
  /** Largest `max_length`, in code points. */
  textLength: 100_000,
  /** Default of `max_length` of text questions, in code points. */
  text: 1_000,
  /** Default of `max_length` of textarea questions, in code points. */
  textarea: 20_000,
  /** Length of the text of `other` in code points. */
  otherText: 1_000,
  /** Files of one answer when the question sets no `max_files`. */
  files: 100,
  /** Reported problems per payload. */
  problems: 1_000,
  /** Length of a problem's `detail` in characters. */
  detail: 10_000,
} as const;
