import type { LssSurvey } from './lss-survey.ts';
import type { IndexedOption, IndexedQuestion } from './question-index.ts';

/** A variable of expressions: the answer to a question, or whether an option is chosen. */
export interface Variable {
  readonly question: IndexedQuestion;
  readonly option: IndexedOption | undefined;
}

export interface Variables {
  /** The variable with a name; undefined if no condition can test it, such as a row of a table. */
  find(name: string): Variable | undefined;
  /** The code for a name such as `12X3X45SQ1`, which has the numbers of survey, group and question. */
  codeOf(numbers: string): string | undefined;
}

/** Maximum characters of a name. Each digit is tried as the end of the question number. */
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
      // The code of a subquestion can follow the question number and begin with digits. Try the longest number first.
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
