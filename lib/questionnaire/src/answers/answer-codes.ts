/** All error codes of invalid answers, with their meaning. */
export const ANSWER_CODES = {
  UNKNOWN_QUESTION: 'The survey has no question with this id.',
  REQUIRED: 'A required question, or a required row, has no answer.',
  HIDDEN_QUESTION: 'The question is hidden by logic but has an answer (reported in strict mode only).',
  WRONG_TYPE: 'The answer does not have the shape of the question type.',
  UNKNOWN_OPTION: 'The answer names an option or column that the question does not have.',
  INACTIVE_OPTION: 'The answer names an option, row or column that is no longer offered.',
  UNKNOWN_ROW: 'The answer names a row that the question does not have.',
  AMBIGUOUS_OPTION: 'The answer names an option by a text that several options have (import only).',
  DUPLICATE_OPTION: 'The answer names an option, row or file twice.',
  EXCLUSIVE_OPTION: 'An exclusive option was chosen together with another option.',
  OTHER_NOT_ALLOWED: 'The question does not allow a text for the option other.',
  OTHER_TEXT_REQUIRED: 'The option other was chosen without a text.',
  TOO_FEW: 'Fewer options were chosen than min_selections.',
  TOO_MANY: 'There are more options than max_selections, or more files than max_files.',
  TOO_SHORT: 'The text is shorter than min_length.',
  TOO_LONG: 'The text is longer than max_length.',
  OUT_OF_RANGE: 'The number, date or time is outside min and max, or not on a step.',
  BAD_FORMAT: 'The text does not have the required format, or the date or time does not exist.',
  PATTERN_MISMATCH: 'The text does not match the pattern of the question.',
} as const;

export type AnswerCode = keyof typeof ANSWER_CODES;
