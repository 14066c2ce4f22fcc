/** Every code that validating a response can report, with what it means: the closed list. */
export const ANSWER_CODES = {
  UNKNOWN_QUESTION: 'The survey has no question with this id.',
  REQUIRED: 'A required question, or a row that it requires, has no answer.',
  HIDDEN_QUESTION: 'The question is hidden by logic but has an answer (refused under strict only).',
  WRONG_TYPE: 'The answer does not have the shape that the question type takes.',
  UNKNOWN_OPTION: 'The answer names an option or column that the question does not have.',
  UNKNOWN_ROW: 'The answer names a row that the question does not have.',
  AMBIGUOUS_OPTION: 'The answer names an option by a text that several options have (import only).',
  DUPLICATE_OPTION: 'The answer names an option, row or file twice.',
  EXCLUSIVE_OPTION: 'An option that excludes all others was chosen together with another.',
  OTHER_NOT_ALLOWED: 'The question does not allow an answer of its own wording.',
  OTHER_TEXT_REQUIRED: 'The option other was chosen without saying what.',
  TOO_FEW: 'Fewer options were chosen than min_selections.',
  TOO_MANY: 'More options were chosen than max_selections, or more files given than max_files.',
  TOO_SHORT: 'The text is shorter than min_length.',
  TOO_LONG: 'The text is longer than max_length.',
  OUT_OF_RANGE: 'The number, date or time is outside min and max, or not on a step.',
  BAD_FORMAT: 'The text is not of the format asked for, or no real date or time.',
  PATTERN_MISMATCH: 'The text does not match the pattern of the question.',
} as const;

export type AnswerCode = keyof typeof ANSWER_CODES;
