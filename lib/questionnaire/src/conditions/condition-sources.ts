import { OTHER } from '../answers/answer-value.ts';
import type { Question } from '../definition/questions.ts';
import { isArray } from '../json.ts';
import type { Operator } from '../logic/operators.ts';
import type { MetadataField } from '../metadata/metadata-fields.ts';

/** A condition, as in logic or in the `where` of a request. */
export interface Condition {
  readonly source_question?: string;
  readonly source?: string;
  readonly operator: Operator;
  readonly value?: unknown;
}

/** Conditions, of which all must hold, or any. Default: all. */
export interface Conditions {
  readonly match?: 'all' | 'any';
  readonly conditions: readonly Condition[];
}

/** A value that a condition on a source can have. */
export interface SourceChoice {
  readonly value: string | number;
  readonly text: string;
}

/** The form of the values of a source. It determines the operators and their words. */
export type SourceKind = 'choice' | 'choices' | 'number' | 'text' | 'numeric_text' | 'date' | 'time' | 'presence';

/** A question, or another part of a response, that conditions can test. Texts are in one language. */
export interface ConditionSource {
  /** The members of a condition that name the source. */
  readonly member: { readonly source_question: string } | { readonly source: string };
  readonly label: string;
  readonly kind: SourceKind;
  /** The possible values. Empty if values are typed. */
  readonly choices: readonly SourceChoice[];
  /** Bounds of typed numbers, dates and times. */
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
  readonly step?: number | undefined;
  /** Of typed texts, in characters. */
  readonly maxLength?: number | undefined;
}

/** Maximum number of values of a scale that are offered as choices. */
const MAX_SCALE_CHOICES = 100;

/** The questions of a survey as sources of conditions, in order. */
export function questionSources(questions: readonly Question[]): readonly ConditionSource[] {
  return questions.map((question) => ({
    member: { source_question: question.id },
    label: question.title === '' ? question.id : question.title,
    ...valuesOf(question),
  }));
}

type SourceValues = Omit<ConditionSource, 'member' | 'label'>;

function valuesOf(question: Question): SourceValues {
  switch (question.type) {
    case 'single_choice':
    case 'multiple_choice': {
      const options = question.options.map(({ id, text }) => ({ value: id, text }));
      const other = question.allowOther ? [{ value: OTHER, text: 'Other' }] : [];
      const kind = question.type === 'single_choice' ? 'choice' : 'choices';
      return { kind, choices: [...options, ...other] };
    }
    case 'likert':
      return question.rows.length > 0
        ? { kind: 'presence', choices: [] }
        : { kind: 'choice', choices: question.options.map(({ id, text }) => ({ value: id, text })) };
    case 'rating': {
      const { min, max, step, values = [], labels } = question;
      const choices = values.map((value) => ({ value, text: toScaleText(value, labels.get(value)) }));
      return { kind: 'number', choices: choices.length > MAX_SCALE_CHOICES ? [] : choices, min, max, step };
    }
    case 'text': {
      const isNumeric = question.format === 'number' || question.format === 'integer';
      return { kind: isNumeric ? 'numeric_text' : 'text', choices: [], maxLength: question.maxLength };
    }
    case 'textarea':
      return { kind: 'text', choices: [], maxLength: question.maxLength };
    case 'date':
    case 'time':
      return { kind: question.type, choices: [], min: question.min, max: question.max };
    case 'matrix':
    case 'file_upload':
      return { kind: 'presence', choices: [] };
  }
}

function toScaleText(value: number, label: string | undefined): string {
  return label === undefined ? String(value) : `${value} (${label})`;
}

const PRESENCE = ['is_answered', 'is_not_answered'] as const;
const EQUALITY = ['equals', 'not_equals', 'in', 'not_in'] as const;
const ORDER = ['greater_than', 'greater_or_equal', 'less_than', 'less_or_equal'] as const;
const MEMBERSHIP = ['contains', 'not_contains'] as const;

const OPERATORS_BY_KIND: Readonly<Record<SourceKind, readonly Operator[]>> = {
  choice: [...EQUALITY, ...PRESENCE],
  choices: [...MEMBERSHIP, 'in', 'not_in', 'equals', 'not_equals', ...PRESENCE],
  number: [...EQUALITY, ...ORDER, ...PRESENCE],
  text: [...MEMBERSHIP, ...EQUALITY, 'matches', ...PRESENCE],
  numeric_text: [...EQUALITY, ...ORDER, ...MEMBERSHIP, 'matches', ...PRESENCE],
  date: [...EQUALITY, ...ORDER, ...PRESENCE],
  time: [...EQUALITY, ...ORDER, ...PRESENCE],
  presence: PRESENCE,
};

const METADATA = 'metadata.';

/** The parts of a survey that name the parts of its responses. */
interface ResponseParts {
  readonly languages?: readonly string[];
  readonly links?: readonly { readonly id: string; readonly slug: string }[];
  readonly metadataFields?: readonly Pick<MetadataField, 'name' | 'type'>[];
}

/** The parts of a response besides its answers as sources. `findSource` also finds metadata that is not declared. */
export function responseSources({
  languages = [],
  links = [],
  metadataFields = [],
}: ResponseParts = {}): readonly ConditionSource[] {
  const toSource = (source: string, label: string, values: SourceValues) => ({ member: { source }, label, ...values });
  const toChoiceValues = (choices: readonly SourceChoice[]): SourceValues => ({
    kind: choices.length === 0 ? 'text' : 'choice',
    choices,
  });
  return [
    toSource('language', 'Language', toChoiceValues(languages.map((tag) => ({ value: tag, text: tag })))),
    toSource('link_id', 'Link', toChoiceValues(links.map(({ id, slug }) => ({ value: id, text: slug })))),
    toSource('duration', 'Duration in seconds', { kind: 'number', choices: [], min: 0 }),
    toSource('external_id', 'External id', { kind: 'text', choices: [] }),
    ...metadataFields.map(({ name, type }) => ({
      ...metadataSource(name),
      ...(type === 'boolean' ? toChoiceValues(BOOLEANS) : {}),
      ...(type === 'number' || type === 'date' ? { kind: type } : {}),
    })),
  ];
}

/** Metadata is compared as text, unless it is declared as numbers or dates. */
const BOOLEANS: readonly SourceChoice[] = ['true', 'false'].map((value) => ({ value, text: value }));

/** A member of the metadata of responses as a source. */
export function metadataSource(name: string): ConditionSource {
  return { member: { source: METADATA + name }, label: `Metadata ${name}`, kind: 'text', choices: [] };
}

/** The name of the member of the metadata that a condition tests; undefined for other sources. */
export function metadataNameOf({ source = '' }: Pick<Condition, 'source'>): string | undefined {
  return source.startsWith(METADATA) ? source.slice(METADATA.length) : undefined;
}

/** The operators of conditions on a kind of source. The most useful one is the first. */
export function operatorsOf(kind: SourceKind): readonly Operator[] {
  return OPERATORS_BY_KIND[kind];
}

/** Whether the operator is true for unanswered sources, apart from `is_not_answered`. */
export function isNegative(operator: Operator): boolean {
  return operator === 'not_equals' || operator === 'not_contains' || operator === 'not_in';
}

/** The number of values that a condition has. */
export function valueCountOf(kind: SourceKind, operator: Operator): 'none' | 'one' | 'several' {
  if (operator === 'is_answered' || operator === 'is_not_answered') return 'none';
  if (operator === 'in' || operator === 'not_in') return 'several';
  return kind === 'choices' && (operator === 'equals' || operator === 'not_equals') ? 'several' : 'one';
}

const WORDS: Readonly<Record<Operator, string>> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  in: 'is one of',
  not_in: 'is none of',
  greater_than: 'is more than',
  greater_or_equal: 'is at least',
  less_than: 'is less than',
  less_or_equal: 'is at most',
  is_answered: 'is answered',
  is_not_answered: 'is not answered',
  matches: 'matches the pattern',
};

const MOMENT_WORDS: Readonly<Partial<Record<Operator, string>>> = {
  greater_than: 'is after',
  greater_or_equal: 'is from',
  less_than: 'is before',
  less_or_equal: 'is up to',
};

const WORDS_BY_KIND: Readonly<Partial<Record<SourceKind, typeof MOMENT_WORDS>>> = {
  choices: {
    contains: 'includes',
    not_contains: 'does not include',
    in: 'includes one of',
    not_in: 'includes none of',
    equals: 'is exactly',
    not_equals: 'is not exactly',
  },
  date: MOMENT_WORDS,
  time: MOMENT_WORDS,
};

/** The words of an operator in a sentence, such as `is one of`. */
export function wordsOf(kind: SourceKind, operator: Operator): string {
  return WORDS_BY_KIND[kind]?.[operator] ?? WORDS[operator];
}

/** Added to sentences about conditions that also hold for unanswered sources. */
const OR_UNANSWERED = '(or not answered)';

/** The parts of a sentence about a condition. */
export interface ConditionSentence {
  readonly label: string;
  readonly words: string;
  /** The texts of the values. */
  readonly values: readonly string[];
  /** Whether the condition also holds for unanswered sources, and no other one excludes them. */
  readonly orUnanswered: boolean;
}

/** Says a condition in words. Without its source, as for a question of another version, it has ids. */
export function toSentence(
  condition: Condition,
  sources: readonly ConditionSource[],
  all: Conditions = { conditions: [condition] },
): ConditionSentence {
  const { operator, value } = condition;
  const source = findSource(condition, sources);
  const kind = source?.kind ?? 'text';
  const values = valueCountOf(kind, operator) === 'none' ? [] : isArray(value) ? value : [value];
  return {
    label: source?.label ?? condition.source_question ?? condition.source ?? '',
    words: wordsOf(kind, operator),
    values: values.map((one) => source?.choices.find((choice) => choice.value === one)?.text ?? toText(one)),
    orUnanswered: isNegative(operator) && !excludesUnanswered(condition, all),
  };
}

/** Whether all conditions must hold, and another one requires an answer to the same source. */
export function excludesUnanswered(condition: Condition, { match = 'all', conditions }: Conditions): boolean {
  return (
    match === 'all' &&
    conditions.some((other) => other.operator === 'is_answered' && nameOf(other) === nameOf(condition))
  );
}

export function findSource(condition: Condition, sources: readonly ConditionSource[]): ConditionSource | undefined {
  const metadataName = metadataNameOf(condition);
  return (
    sources.find(({ member }) => nameOf(member) === nameOf(condition)) ??
    (metadataName === undefined ? undefined : metadataSource(metadataName))
  );
}

/** The name of a source, different for all questions and other parts. */
export function nameOf({ source_question, source }: Pick<Condition, 'source_question' | 'source'>): string {
  return source_question === undefined ? `source ${source}` : `question ${source_question}`;
}

/** Conditions as requests have them: absent members can be null. */
export interface ConditionsInput {
  readonly match?: 'all' | 'any' | null | undefined;
  readonly conditions: readonly {
    readonly source_question?: string | null | undefined;
    readonly source?: string | null | undefined;
    readonly operator: Operator;
    readonly value?: unknown;
  }[];
}

/** Removes members that are null. */
export function withoutNulls(given: ConditionsInput): Conditions {
  return JSON.parse(JSON.stringify(given), (_name, member: unknown) => member ?? undefined);
}

/** Equal for equal conditions in any order. It contains the values. */
export function canonicalForm(given: ConditionsInput): string {
  const { match = 'all', conditions } = withoutNulls(given);
  const forms = conditions.map(({ source_question, source, operator, value }) =>
    JSON.stringify([
      source_question === undefined,
      source_question ?? source,
      operator,
      valueCountOf('text', operator) === 'none' ? null : value,
    ]),
  );
  return JSON.stringify([match, [...new Set(forms)].sort()]);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Says conditions in words, as a line of plain text. */
export function describeConditions(all: Conditions, sources: readonly ConditionSource[]): string {
  const sentences = all.conditions.map((condition) => {
    const { label, words, values, orUnanswered } = toSentence(condition, sources, all);
    const isNumber = findSource(condition, sources)?.kind === 'number';
    const texts = values.map((value) => (isNumber ? value : `“${value}”`)).join(', ');
    return [label, words, texts, orUnanswered ? OR_UNANSWERED : ''].filter((part) => part !== '').join(' ');
  });
  return sentences.join(all.match === 'any' ? ' or ' : ' and ');
}
