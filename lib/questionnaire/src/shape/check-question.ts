import { isQuestionType, QUESTION_TYPE_NAMES } from '../answers/answer-types.ts';
import { isAbsent, type JsonObject } from '../json.ts';
import type { Report } from '../lint/report.ts';
import { checkTitle } from './check-title.ts';

/** Checks what every question must have: a known type and a title; its id, if there, must be a string. */
export const checkQuestion = (question: JsonObject, path: string, report: Report): void => {
  const { id, type, title } = question;
  const questionId = typeof id === 'string' ? id : undefined;
  if (!isAbsent(id) && typeof id !== 'string') report('WRONG_TYPE', `${path}/id`, 'the id must be a string');
  if (isAbsent(type)) report('MISSING_MEMBER', `${path}/type`, 'the question has no type', questionId);
  else if (!isQuestionType(type)) {
    report('UNKNOWN_TYPE', `${path}/type`, `the type must be one of ${QUESTION_TYPE_NAMES.join(', ')}`, questionId);
  }
  checkTitle(title, `${path}/title`, report, questionId);
};
