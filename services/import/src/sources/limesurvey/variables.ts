import type { LssSurvey } from './lss-survey.ts';
import type { IndexedOption, IndexedQuestion } from './question-index.ts';

/** What an expression can look at: the answer to a question, or whether one option of it is chosen. */
export interface Variable {
  readonly question: IndexedQuestion;
  readonly option: IndexedOption | undefined;
}

export interface Variables {
  /** Undefined for what no condition of ours can look at, such as a row of a table. */
  find(name: string): Variable | undefined;
  /** The name of a question that is called by its numbers: survey, group, question and code of the subquestion. */
  codeOf(numbers: string): string | undefined;
}

/** Characters of a name; each is looked at as the end of a number. */
const MAX_NAME = 500;

export function createVariables(index: readonly IndexedQuestion[], { groups }: Pick<LssSurvey, 'groups'>): Variables {
  const variables = new Map<string, Variable>();
  for (const question of index) {
    const isList = question.type === 'multiple_choice';
    if (!isList && question.rows.length === 0) variables.set(question.variable, { question, option: undefined });
    for (const option of isList ? question.options : []) {
      variables.set(`${question.variable}_${option.code}`, { question, option });
    }
  }
  const questions = new Map(
    groups
      .flatMap((group) => group.questions)
      .map(({ qid, code, subquestions: [items] }) => [qid, { code, items: new Set(items.map((item) => item.code)) }]),
  );
  return {
    find: (name) => variables.get(name),
    codeOf: (numbers) => {
      if (numbers.length > MAX_NAME) return undefined;
      const rest = numbers.replace(/^\d+X\d+X/, '');
      const digits = /^\d+/.exec(rest)?.[0].length ?? 0;
      // A code may begin with digits, as an id ends with them.
      for (let length = digits; length > 0; length -= 1) {
        const question = questions.get(rest.slice(0, length));
        const code = rest.slice(length);
        if (question === undefined) continue;
        if (code === '') return question.code;
        if (question.items.has(code)) return `${question.code}_${code}`;
      }
      return undefined;
    },
  };
}
