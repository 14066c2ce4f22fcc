import type { AnswerRules } from './answers/answer-type.ts';
import type { CompilePattern } from './answers/patterns/limit-patterns.ts';
import { createQuestionMembers } from './answers/question-members.ts';
import { ANSWER_TYPES } from './answers/types/answer-types.ts';
import type { Question } from './definition/definition.ts';
import type { ReportProblem } from './lint/report.ts';
import { pointer } from './pointer.ts';
import type { QuestionTypeName } from './schema/question-schema.ts';

/** A question with the rules for its answers. */
export interface CompiledQuestion extends Question {
  readonly required: boolean;
  readonly rules: AnswerRules;
  /** JSON pointer of its answer: `/data/<id>`. */
  readonly dataPath: string;
}

export function compileQuestion(
  question: Question,
  compilePattern: CompilePattern,
  report: ReportProblem,
): CompiledQuestion {
  const rulesOf = <Type extends QuestionTypeName>(type: Type): AnswerRules =>
    ANSWER_TYPES[type](createQuestionMembers<Type>(question, compilePattern, report));
  return {
    ...question,
    required: question.source.required === true,
    rules: rulesOf(question.type),
    dataPath: pointer('/data', question.id),
  };
}
