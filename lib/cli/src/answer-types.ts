import { type Definition, type Question, type QuestionItem, questionsOf } from '@survey/questionnaire';
import {
  type ConditionSource,
  operatorsOf,
  questionSources,
  responseSources,
  valueCountOf,
} from '@survey/questionnaire/conditions';

/**
 * Prints TypeScript types of a survey: of its answers, and of conditions on its responses. Questions of unknown types
 * are omitted. The type of answers is no interface, because none fits `Record<string, unknown>`.
 */
export function toAnswerTypes(definition: Definition, title: string): string {
  const questions = questionsOf(definition, undefined, { inactive: true });
  const members = questions.map((question) => {
    const comment = toComment(question.title);
    return `${comment ? `  /** ${comment} */\n` : ''}  ${quote(question.id)}?: ${printType(question)};\n`;
  });
  const ofQuestions = questionSources(questions).flatMap((source) =>
    printConditions(`source_question: ${quote(nameOf(source))}`, source),
  );
  const parts = responseSources();
  const texts = parts.filter(({ kind }) => kind === 'text').map((source) => quote(nameOf(source)));
  const conditions = [
    ...ofQuestions,
    ...parts
      .filter(({ kind }) => kind !== 'text')
      .flatMap((source) => printConditions(`source: ${quote(nameOf(source))}`, source)),
    ...printConditions(`source: ${[...texts, ANY_METADATA].join(' | ')}`, { kind: 'text', choices: [] }),
  ];
  return `/** Answers to "${toComment(title)}", by question id. Hidden and unanswered questions have none. */
export type Answers = {
${members.join('')}};

/** A condition on the responses, with the operators and values of its source. */
export type Condition =${conditions.join('')};

/** Conditions for \`where\` of the client. */
export type Where = { match?: 'all' | 'any'; conditions: Condition[] };
`;
}

const ANY_METADATA = `\`metadata.\${string}\``;

function nameOf({ member }: ConditionSource): string {
  return Object.values<string>(member)[0] ?? '';
}

/** Prints a type for each form of values that the operators of a source have. */
function printConditions(
  member: string,
  { kind, choices }: Pick<ConditionSource, 'kind' | 'choices'>,
): readonly string[] {
  const value = printValue(kind, choices);
  const list = value.includes(' | ') ? `(${value})[]` : `${value}[]`;
  const forms = { one: `; value: ${value}`, several: `; value: ${list}`, none: '' };
  return (['one', 'several', 'none'] as const).flatMap((count) => {
    const operators = operatorsOf(kind).filter((operator) => valueCountOf(kind, operator) === count);
    if (operators.length === 0) return [];
    return `\n  | { ${member}; operator: ${operators.map(quote).join(' | ')}${forms[count]} }`;
  });
}

function printValue(kind: ConditionSource['kind'], choices: ConditionSource['choices']): string {
  if (kind === 'number') return 'number';
  if (kind === 'numeric_text') return 'string | number';
  return choices.length === 0 ? 'string' : choices.map(({ value }) => quote(String(value))).join(' | ');
}

function printType(question: Question): string {
  switch (question.type) {
    case 'single_choice':
      return `${printIds(question.options)}${question.allowOther ? " | { option: 'other'; text: string }" : ''}`;
    case 'multiple_choice': {
      const chosen = `(${printIds(question.options)})[]`;
      return question.allowOther ? `${chosen} | { options?: ${chosen}; other: string }` : chosen;
    }
    case 'rating':
      return 'number';
    case 'likert': {
      const option = printIds(question.options);
      return question.rows.length === 0 ? option : printRows(question.rows, option);
    }
    case 'matrix': {
      const column = printIds(question.columns);
      return printRows(question.rows, question.multiple ? `(${column})[]` : column);
    }
    case 'file_upload':
      return '{ file_id: string }[]';
    default:
      return 'string';
  }
}

function printRows(rows: readonly QuestionItem[], value: string): string {
  return `{ ${rows.map(({ id }) => `${quote(id)}?: ${value}`).join('; ')} }`;
}

function printIds(items: readonly QuestionItem[]): string {
  return items.length === 0 ? 'string' : items.map(({ id }) => quote(id)).join(' | ');
}

function toComment(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll('\n', ' ');
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}
