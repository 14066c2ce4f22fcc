/** All error codes of invalid answers, with their meaning in Markdown. `/docs/guides/definitions` lists them. */
export const ANSWER_CODES = {
  UNKNOWN_QUESTION: 'The survey has no question with this id.',
  REQUIRED: 'A required question has no answer, or answers to fewer rows than required.',
  HIDDEN_QUESTION: 'The question is hidden by logic. Reported only with `strict`.',
  WRONG_TYPE: 'The answer does not have the JSON type that the question takes.',
  UNKNOWN_OPTION: 'The question has no such option or column.',
  INACTIVE_OPTION: 'The option, row or column is no longer offered.',
  UNKNOWN_ROW: 'The question has no such row.',
  AMBIGUOUS_OPTION: 'Several options have this text. Reported only by imports.',
  DUPLICATE_OPTION: 'An option, row, column or file is given twice.',
  EXCLUSIVE_OPTION: 'An exclusive option is chosen together with another.',
  OTHER_NOT_ALLOWED: 'The question has no `allow_other`.',
  OTHER_TEXT_REQUIRED: 'The option `other` is chosen without a text.',
  TOO_FEW: 'Fewer options than `min_selections` are chosen.',
  TOO_MANY: 'There are more options than `max_selections`, or more files than `max_files`.',
  TOO_SHORT: 'The text is shorter than `min_length`.',
  TOO_COMPLEX:
    'The conditions and patterns of the survey would take too long with this text. It happens only with texts of thousands of characters.',
  TOO_LONG: 'The text is longer than `max_length`, or the text of `other` than 1,000 characters.',
  OUT_OF_RANGE: 'The number, date or time is outside of `min` and `max`, or not on a step.',
  BAD_FORMAT: 'The text does not have the `format`, or the date or time does not exist.',
  PATTERN_MISMATCH: 'The text does not match the `pattern`.',
} as const;

export type AnswerCode = keyof typeof ANSWER_CODES;
