import type {
  GetSummaryResponseSchema,
  QuestionSummarySchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/message-fields';
import type { QuestionSummary, Summary } from './summary.ts';

export function toSummaryMessage(summary: Summary): CompleteFields<typeof GetSummaryResponseSchema> {
  const { responses, byDay, questions, dropOff } = summary;
  return { responses, byDay: [...byDay], questions: questions.map(toQuestionMessage), dropOff: [...dropOff] };
}

function toQuestionMessage(question: QuestionSummary): CompleteFields<typeof QuestionSummarySchema> {
  const { options = [], numbers = {}, rows = [] } = question;
  return {
    questionId: question.questionId,
    type: question.type,
    answered: question.answered,
    skipped: question.skipped,
    options: [...options],
    mean: numbers.mean,
    median: numbers.median,
    stddev: numbers.stddev,
    min: numbers.min,
    max: numbers.max,
    rows: rows.map((row) => ({ ...row, options: [...row.options] })),
  };
}
