interface LintCodeEntry {
  /** Errors refuse publishing, warnings never block. */
  readonly level: 'error' | 'warning';
  readonly text: string;
  /** A fragment of a definition that has the problem. */
  readonly example: string;
}

/** Every code that checking a definition can report: the closed list, for the shape and for lint alike. */
export const LINT_CODES = {
  MISSING_MEMBER: {
    level: 'error',
    text: 'A member that must be there is missing.',
    example: '{"survey": {"title": "A"}}',
  },
  WRONG_TYPE: { level: 'error', text: 'A member has the wrong JSON type.', example: '{"required": "yes"}' },
  BAD_SCHEMA_VERSION: {
    level: 'error',
    text: 'schema_version must be two numbers with a dot.',
    example: '{"schema_version": "one"}',
  },
  BAD_VERSION: { level: 'error', text: 'version must be a positive integer.', example: '{"version": 0}' },
  EMPTY_TITLE: { level: 'error', text: 'A survey or question has no title.', example: '{"type": "text", "title": ""}' },
  MISSING_LANGUAGE: { level: 'error', text: 'No language is declared.', example: '{"supported_languages": []}' },
  BAD_LANGUAGE: {
    level: 'error',
    text: 'A language is no BCP 47 tag.',
    example: '{"supported_languages": ["english!"]}',
  },
  UNKNOWN_TYPE: { level: 'error', text: 'A question has a type that does not exist.', example: '{"type": "slider"}' },
  LIMIT_EXCEEDED: {
    level: 'error',
    text: 'The definition is larger than a limit allows.',
    example: 'a question with 2,001 options',
  },
  NO_QUESTIONS: { level: 'error', text: 'The survey has no question.', example: '{"pages": []}' },
  BAD_ID: {
    level: 'error',
    text: 'A question id has other characters than A-Z a-z 0-9 _ . - or is longer than 128.',
    example: '{"id": "my question"}',
  },
  DUPLICATE_ID: { level: 'error', text: 'An id is taken already.', example: 'two questions with the id q1' },
  MISSING_OPTIONS: {
    level: 'error',
    text: 'A question lacks its options, rows or columns.',
    example: '{"type": "single_choice", "options": []}',
  },
  BAD_OPTION: {
    level: 'error',
    text: 'An option is neither a text nor an object with an id or a text.',
    example: '{"options": [1]}',
  },
  DUPLICATE_OPTION: {
    level: 'error',
    text: 'Two options, rows or columns of a question have the same id.',
    example: '{"options": ["yes", "yes"]}',
  },
  RESERVED_OPTION: {
    level: 'error',
    text: 'The option id other is reserved for allow_other.',
    example: '{"options": [{"id": "other", "text": "Other"}]}',
  },
  BAD_RANGE: {
    level: 'error',
    text: 'A limit of a question is no number, date or time, or limits contradict each other.',
    example: '{"min_length": 5, "max_length": 2}',
  },
  BAD_PATTERN: {
    level: 'error',
    text: 'The linear-time engine (RE2) cannot run a pattern, or not in bounded time.',
    example: '{"pattern": "(?=a)"}',
  },
  UNKNOWN_FORMAT: {
    level: 'error',
    text: 'A text format does not exist.',
    example: '{"type": "text", "format": "iban"}',
  },
  UNKNOWN_SOURCE: {
    level: 'error',
    text: 'A condition looks at a question that does not exist.',
    example: '{"source_question": "nope"}',
  },
  UNKNOWN_TARGET: {
    level: 'error',
    text: 'Logic affects a question or section that does not exist, or names none.',
    example: '{"question_id": "nope", "conditions": []}',
  },
  UNKNOWN_OPTION: {
    level: 'error',
    text: 'A condition compares with an option that the question does not have.',
    example: '{"operator": "equals", "value": "maybe"}',
  },
  AMBIGUOUS_OPTION: {
    level: 'error',
    text: 'A condition names an option by a text that several options have.',
    example: 'options a and b with the text "Yes"',
  },
  BAD_OPERATOR: {
    level: 'error',
    text: 'An operator does not exist, or its question type cannot have it.',
    example: '{"source_question": "<text>", "operator": "greater_than"}',
  },
  BAD_VALUE: {
    level: 'error',
    text: 'The value of a condition is missing or is not one its question can be compared with.',
    example: '{"source_question": "<rating>", "operator": "equals", "value": "many"}',
  },
  BAD_ACTION: { level: 'error', text: 'A logic action does not exist.', example: '{"action": "explode"}' },
  BAD_SKIP: {
    level: 'error',
    text: 'skip_to must lead to a question later than the one it leaves.',
    example: '{"question_id": "q3", "target_question": "q1", "action": "skip_to"}',
  },
  LOGIC_CYCLE: {
    level: 'error',
    text: 'The visibility of a question depends on itself.',
    example: 'q1 shows q2, q2 shows q1',
  },
  FORWARD_REFERENCE: {
    level: 'error',
    text: 'A condition looks at a question on a later page than the one it affects.',
    example: 'page 1 shown by an answer on page 2',
  },
  UNKNOWN_SECTION_QUESTION: {
    level: 'error',
    text: 'A section names a question that does not exist.',
    example: '{"sections": [{"id": "s", "question_ids": ["nope"]}]}',
  },
  MISSING_CONDITIONS: {
    level: 'warning',
    text: 'A logic entry without conditions has no effect.',
    example: '{"question_id": "q2", "conditions": []}',
  },
  MISSING_TRANSLATION: {
    level: 'warning',
    text: 'A translated text lacks a declared language.',
    example: '{"title": {"en": "A"}} with en and de declared',
  },
  UNDECLARED_LANGUAGE: {
    level: 'warning',
    text: 'A text has a language that the survey does not declare.',
    example: '{"title": {"en": "A", "fr": "B"}} with en declared',
  },
  UNREACHABLE_QUESTION: {
    level: 'warning',
    text: 'No answers make this question visible.',
    example: 'shown when q1 equals a and q1 equals b',
  },
  REQUIRED_ALWAYS_HIDDEN: {
    level: 'warning',
    text: 'A required question is never visible, so it is never asked.',
    example: 'a required question that is unreachable',
  },
} as const satisfies Record<string, LintCodeEntry>;

export type LintCode = keyof typeof LINT_CODES;
