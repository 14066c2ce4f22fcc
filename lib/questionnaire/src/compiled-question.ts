import type { AnswerRules } from './answers/answer-type.ts';
import { ANSWER_TYPES } from './answers/answer-types.ts';
import type { CompilePattern } from './answers/pattern.ts';
import { createQuestionMembers } from './answers/question-members.ts';
import type { Question } from './definition/definition.ts';
import type { Report } from './lint/report.ts';
import { pointer } from './pointer.ts';

/** A question with the rules for its answers. */
export interface CompiledQuestion extends Question {
  readonly required: boolean;
  readonly rules: AnswerRules;
  /** JSON pointer of its answer: `/data/<id>`. */
  readonly dataPath: string;
}

export const compileQuestion = (
  question: Question,
  compilePattern: CompilePattern,
  report: Report,
): CompiledQuestion => {
  const members = createQuestionMembers(question, compilePattern, report);
  return {
    ...question,
    required: members.flag('required'),
    rules: ANSWER_TYPES[question.type](members),
    dataPath: pointer('/data', question.id),
  };
};
