import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetSummaryResponseSchema,
  QuestionSummarySchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import type { QuestionSummary, Summary } from './summary.ts';

export function toSummaryMessage({
  responses,
  byDay,
  questions,
  dropOff,
}: Summary): MessageInitShape<typeof GetSummaryResponseSchema> {
  return { responses, byDay: [...byDay], questions: questions.map(toQuestionMessage), dropOff: [...dropOff] };
}

function toQuestionMessage({
  options = [],
  numbers = {},
  rows = [],
  ...rest
}: QuestionSummary): MessageInitShape<typeof QuestionSummarySchema> {
  return {
    ...rest,
    ...numbers,
    options: [...options],
    rows: rows.map((row) => ({ ...row, options: [...row.options] })),
  };
}
