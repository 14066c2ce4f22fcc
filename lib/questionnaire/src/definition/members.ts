/** A kind of object in a definition. */
interface Part {
  /** Its name in error details: `a question`. */
  readonly name: string;
  /** The members that are not parts themselves. */
  readonly members: readonly string[];
  /** The members that are parts, or lists of parts. */
  readonly parts: Readonly<Record<string, PartName>>;
}

export type PartName =
  | 'definition'
  | 'survey'
  | 'screen'
  | 'page'
  | 'question'
  | 'option'
  | 'section'
  | 'logic'
  | 'condition';

/** Members with free content, which every part except the payload itself can have. */
export const FREE_MEMBERS: readonly string[] = ['metadata', 'source_data'];

/** All members of a definition. A question can have members of every type, so its type can be changed. */
export const PARTS: Readonly<Record<PartName, Part>> = {
  definition: {
    name: 'the payload',
    members: ['schema_version', 'version', 'project_id', 'settings'],
    parts: { survey: 'survey' },
  },
  survey: {
    name: 'a survey',
    members: ['title', 'description', 'supported_languages', ...FREE_MEMBERS],
    parts: {
      welcome_screen: 'screen',
      thank_you_screen: 'screen',
      pages: 'page',
      sections: 'section',
      logic: 'logic',
    },
  },
  screen: { name: 'a screen', members: ['title', 'description', ...FREE_MEMBERS], parts: {} },
  page: { name: 'a page', members: ['id', 'title', 'description', ...FREE_MEMBERS], parts: { questions: 'question' } },
  question: {
    name: 'a question',
    members: [
      ...['id', 'type', 'title', 'description', 'required'],
      ...['allow_other', 'min_selections', 'max_selections'],
      ...['min_length', 'max_length', 'pattern', 'format'],
      ...['min', 'max', 'step', 'labels'],
      ...['required_rows', 'multiple'],
      ...['max_files', 'max_bytes', 'accept'],
      ...FREE_MEMBERS,
    ],
    parts: { options: 'option', rows: 'option', columns: 'option' },
  },
  option: { name: 'an option', members: ['id', 'text', 'exclusive', ...FREE_MEMBERS], parts: {} },
  section: {
    name: 'a section',
    members: ['id', 'title', 'description', 'question_ids', 'questions', ...FREE_MEMBERS],
    parts: {},
  },
  logic: {
    name: 'a logic entry',
    members: ['question_id', 'target_question', 'match', 'action', ...FREE_MEMBERS],
    parts: { conditions: 'condition' },
  },
  condition: {
    name: 'a condition',
    members: [...['source_question', 'question_id', 'target_question', 'operator', 'value', 'action'], ...FREE_MEMBERS],
    parts: {},
  },
};

/** Whether a part of a definition can have a member of this name. */
export const isMemberOf = (part: PartName, name: string): boolean =>
  PARTS[part].members.includes(name) || Object.hasOwn(PARTS[part].parts, name);
