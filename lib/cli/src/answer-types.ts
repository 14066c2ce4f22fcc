import { type Definition, type Question, type QuestionItem, questionsOf } from '@survey/questionnaire';

/**
 * Prints the TypeScript type of the answers to a definition. Questions of unknown types are omitted. It is no interface,
 * because none fits `Record<string, unknown>`.
 */
export function toAnswerTypes(definition: Definition, title: string): string {
  const members = questionsOf(definition, undefined, { inactive: true }).map((question) => {
    const comment = toComment(question.title);
    return `${comment ? `  /** ${comment} */\n` : ''}  ${quote(question.id)}?: ${printType(question)};\n`;
  });
  return `/** Answers to "${toComment(title)}", by question id. Hidden and unanswered questions have none. */
export type Answers = {
${members.join('')}};
`;
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
