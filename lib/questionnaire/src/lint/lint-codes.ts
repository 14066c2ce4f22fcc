interface LintCodeEntry {
  /** Errors block publishing, warnings never block. */
  readonly level: 'error' | 'warning';
  readonly text: string;
  /** A JSON merge patch (RFC 7396) that gives `EXAMPLE_SURVEY` this problem and no other. */
  readonly example: string;
  /** JSON pointer at which the problem of the example is reported. */
  readonly path: string;
  /** Another code that is always reported with this one. */
  readonly alongside?: string;
}

/**
 * All codes that checking a definition can report, for its shape and by lint. The gateway shows them at
 * `/docs/guides/lint-codes`.
 */
export const LINT_CODES = {
  MISSING_MEMBER: {
    level: 'error',
    text: 'A required member is missing.',
    example: '{"version": null}',
    path: '/version',
  },
  WRONG_TYPE: {
    level: 'error',
    text: 'A member has the wrong JSON type.',
    example: '{"survey": {"pages": [{"questions": [{"type": "text", "title": "Name", "required": "yes"}]}]}}',
    path: '/survey/pages/0/questions/0/required',
  },
  UNKNOWN_MEMBER: {
    level: 'error',
    text: 'The member does not exist; the detail names a similar one, if any. Put your own content into metadata.',
    example:
      '{"survey": {"pages": [{"questions": [{"type": "text", "title": "Name", "requierd": true, "metadata": {"crm_field": "name"}}]}]}}',
    path: '/survey/pages/0/questions/0/requierd',
  },
  BAD_SCHEMA_VERSION: {
    level: 'error',
    text: 'schema_version must be "1.0". A survey that was stored with another one is still served.',
    example: '{"schema_version": "one"}',
    path: '/schema_version',
  },
  BAD_VERSION: {
    level: 'error',
    text: 'version must be a positive integer.',
    example: '{"version": 0}',
    path: '/version',
  },
  EMPTY_TITLE: {
    level: 'error',
    text: 'A survey or question has no title.',
    example: '{"survey": {"title": " "}}',
    path: '/survey/title',
  },
  MISSING_LANGUAGE: {
    level: 'error',
    text: 'No language is declared.',
    example: '{"survey": {"supported_languages": []}}',
    path: '/survey/supported_languages',
  },
  BAD_LANGUAGE: {
    level: 'error',
    text: 'A language is not a BCP 47 tag.',
    example: '{"survey": {"supported_languages": ["english!"]}}',
    path: '/survey/supported_languages/0',
  },
  UNKNOWN_TYPE: {
    level: 'error',
    text: 'A question type does not exist.',
    example:
      '{"survey": {"pages": [{"questions": [{"type": "text", "title": "Name"}, {"type": "slider", "title": "How warm?"}]}]}}',
    path: '/survey/pages/0/questions/1/type',
  },
  LIMIT_EXCEEDED: {
    level: 'error',
    text: 'The definition is larger than a limit allows.',
    example: '{"survey": {"metadata": {"nested": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}}}',
    path: '',
  },
  NO_QUESTIONS: {
    level: 'error',
    text: 'The survey has no question.',
    example: '{"survey": {"pages": []}}',
    path: '/survey/pages',
  },
  BAD_ID: {
    level: 'error',
    text: 'A question id has characters other than A-Z a-z 0-9 _ . - or is longer than 128 characters.',
    example: '{"survey": {"pages": [{"questions": [{"id": "my question", "type": "text", "title": "Name"}]}]}}',
    path: '/survey/pages/0/questions/0/id',
  },
  DUPLICATE_ID: {
    level: 'error',
    text: 'An id is used twice, or is the name of the CSV column for other texts, `q.other`.',
    example:
      '{"survey": {"pages": [{"questions": [{"id": "q1", "type": "text", "title": "Name"}, {"id": "q1", "type": "text", "title": "Town"}]}]}}',
    path: '/survey/pages/0/questions/1/id',
  },
  MISSING_OPTIONS: {
    level: 'error',
    text: 'A question lacks its options, rows or columns.',
    example: '{"survey": {"pages": [{"questions": [{"type": "single_choice", "title": "Size", "options": []}]}]}}',
    path: '/survey/pages/0/questions/0/options',
  },
  BAD_OPTION: {
    level: 'error',
    text: 'An option is neither a text nor an object with an id or a text, or has an invalid member.',
    example:
      '{"survey": {"pages": [{"questions": [{"type": "single_choice", "title": "Size", "options": ["S", 2]}]}]}}',
    path: '/survey/pages/0/questions/0/options/1',
  },
  DUPLICATE_OPTION: {
    level: 'error',
    text: 'Two options, rows or columns of a question have the same id.',
    example:
      '{"survey": {"pages": [{"questions": [{"type": "single_choice", "title": "Size", "options": ["S", "M", "S"]}]}]}}',
    path: '/survey/pages/0/questions/0/options/2',
  },
  RESERVED_OPTION: {
    level: 'error',
    text: 'The option id other is reserved for allow_other.',
    example:
      '{"survey": {"pages": [{"questions": [{"type": "single_choice", "title": "Size", "options": ["S", {"id": "other", "text": "Another"}]}]}]}}',
    path: '/survey/pages/0/questions/0/options/1',
  },
  BAD_RANGE: {
    level: 'error',
    text: 'A limit of a question is not a number, date or time, or limits contradict each other.',
    example:
      '{"survey": {"pages": [{"questions": [{"type": "text", "title": "Name", "min_length": 5, "max_length": 2}]}]}}',
    path: '/survey/pages/0/questions/0/min_length',
  },
  BAD_PATTERN: {
    level: 'error',
    text: 'RE2 cannot compile a pattern, or cannot run it in bounded time.',
    example: '{"survey": {"pages": [{"questions": [{"type": "text", "title": "Name", "pattern": "(?=a)"}]}]}}',
    path: '/survey/pages/0/questions/0/pattern',
  },
  UNKNOWN_FORMAT: {
    level: 'error',
    text: 'A text format does not exist.',
    example: '{"survey": {"pages": [{"questions": [{"type": "text", "title": "Account", "format": "iban"}]}]}}',
    path: '/survey/pages/0/questions/0/format',
  },
  UNKNOWN_SOURCE: {
    level: 'error',
    text: 'The source question of a condition does not exist.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "conditions": [{"source_question": "nope", "operator": "is_answered", "action": "show"}]}]}}',
    path: '/survey/logic/0/conditions/0',
  },
  UNKNOWN_TARGET: {
    level: 'error',
    text: 'Logic names no target, or a question or section that does not exist.',
    example:
      '{"survey": {"logic": [{"question_id": "nope", "conditions": [{"source_question": "ate", "operator": "equals", "value": "yes", "action": "show"}]}]}}',
    path: '/survey/logic/0',
  },
  UNKNOWN_OPTION: {
    level: 'error',
    text: 'The source question of a condition does not have this option.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "conditions": [{"source_question": "ate", "operator": "equals", "value": "maybe", "action": "show"}]}]}}',
    path: '/survey/logic/0/conditions/0/value',
  },
  AMBIGUOUS_OPTION: {
    level: 'error',
    text: 'A condition names an option by a text that several options have. Use the id.',
    example:
      '{"survey": {"pages": [{"questions": [{"id": "ate", "type": "single_choice", "title": "Did you eat?", "options": [{"id": "a", "text": "Yes"}, {"id": "b", "text": "Yes"}]}, {"id": "dish", "type": "text", "title": "What?"}]}], "logic": [{"question_id": "dish", "conditions": [{"source_question": "ate", "operator": "equals", "value": "Yes", "action": "show"}]}]}}',
    path: '/survey/logic/0/conditions/0/value',
  },
  BAD_OPERATOR: {
    level: 'error',
    text: 'An operator does not exist, or does not apply to the type of the source question.',
    example:
      '{"survey": {"logic": [{"question_id": "taste", "conditions": [{"source_question": "dish", "operator": "greater_than", "value": "a", "action": "show"}]}]}}',
    path: '/survey/logic/0/conditions/0/operator',
  },
  BAD_VALUE: {
    level: 'error',
    text: 'The value of a condition is missing, or cannot be compared with answers to the source question.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "conditions": [{"source_question": "ate", "operator": "equals", "value": true, "action": "require"}]}]}}',
    path: '/survey/logic/0/conditions/0/value',
  },
  BAD_ACTION: {
    level: 'error',
    text: 'A logic action does not exist.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "conditions": [{"source_question": "ate", "operator": "equals", "value": "yes", "action": "explode"}]}]}}',
    path: '/survey/logic/0/conditions/0/action',
  },
  BAD_SKIP: {
    level: 'error',
    text: 'skip_to must lead to a later question.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "target_question": "ate", "action": "skip_to", "conditions": [{"source_question": "ate", "operator": "is_answered"}]}]}}',
    path: '/survey/logic/0',
  },
  LOGIC_CYCLE: {
    level: 'error',
    text: 'The visibility of a question depends on itself.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "conditions": [{"source_question": "ate", "operator": "is_answered", "action": "show"}]}, {"question_id": "ate", "conditions": [{"source_question": "dish", "operator": "is_answered", "action": "hide"}]}]}}',
    path: '/survey/logic/0',
  },
  FORWARD_REFERENCE: {
    level: 'error',
    text: 'The source question of a condition is on a later page than the question it affects.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "conditions": [{"source_question": "taste", "operator": "greater_than", "value": 3, "action": "show"}]}]}}',
    path: '/survey/logic/0/conditions/0',
  },
  UNKNOWN_SECTION_QUESTION: {
    level: 'error',
    text: 'A section names a question that does not exist.',
    example: '{"survey": {"sections": [{"id": "s", "title": "Food", "question_ids": ["dish", "nope"]}]}}',
    path: '/survey/sections/0/question_ids/1',
  },
  UNUSUAL_VALUE: {
    level: 'warning',
    text: 'The value of a condition has another JSON type than the answers, in or not_in has no array, or the operator takes no value. The condition may not mean what you expect.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "conditions": [{"source_question": "ate", "operator": "in", "value": "yes", "action": "show"}]}]}}',
    path: '/survey/logic/0/conditions/0/value',
  },
  VALUE_OUT_OF_RANGE: {
    level: 'warning',
    text: 'The value of a condition is outside of the scale, or of min and max, so all answers have the same result.',
    example:
      '{"survey": {"logic": [{"action": "disqualify", "conditions": [{"source_question": "taste", "operator": "greater_than", "value": 10}]}]}}',
    path: '/survey/logic/0/conditions/0/value',
  },
  MISSING_CONDITIONS: {
    level: 'warning',
    text: 'A logic entry without conditions has no effect.',
    example: '{"survey": {"logic": [{"question_id": "dish", "conditions": []}]}}',
    path: '/survey/logic/0',
  },
  MISSING_TRANSLATION: {
    level: 'warning',
    text: 'A text is not translated to a declared language.',
    example: '{"survey": {"title": {"en": "Lunch"}, "supported_languages": ["en", "de"]}}',
    path: '/survey/title',
  },
  UNDECLARED_LANGUAGE: {
    level: 'warning',
    text: 'A text is translated to a language that the survey does not declare.',
    example: '{"survey": {"title": {"en": "Lunch", "fr": "Déjeuner"}}}',
    path: '/survey/title/fr',
  },
  BROWSER_PATTERN: {
    level: 'warning',
    text: 'A pattern in a condition cannot be tested in browsers, which take the condition as true. The server tests it, so both can show different questions.',
    example:
      '{"survey": {"logic": [{"question_id": "taste", "conditions": [{"source_question": "dish", "operator": "matches", "value": "[[:^digit:]]", "action": "show"}]}]}}',
    path: '/survey/logic/0/conditions/0/value',
  },
  UNREACHABLE_QUESTION: {
    level: 'warning',
    text: 'Logic hides the question whatever respondents answer.',
    example:
      '{"survey": {"logic": [{"question_id": "dish", "conditions": [{"source_question": "ate", "operator": "equals", "value": "yes"}, {"source_question": "ate", "operator": "equals", "value": "no"}]}]}}',
    path: '/survey/pages/0/questions/1',
  },
  REQUIRED_ALWAYS_HIDDEN: {
    level: 'warning',
    text: 'Logic always hides a required question, so respondents cannot answer it.',
    example:
      '{"survey": {"logic": [{"question_id": "taste", "conditions": [{"source_question": "ate", "operator": "is_answered"}, {"source_question": "ate", "operator": "is_not_answered"}]}]}}',
    path: '/survey/pages/1/questions/0',
    alongside: 'UNREACHABLE_QUESTION',
  },
} as const satisfies Record<string, LintCodeEntry>;

export type LintCode = keyof typeof LINT_CODES;
