import type {
  GetSummaryRequest,
  GetSummaryResponseSchema,
  QuestionSummarySchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/message-fields';
import { fromFilterMessage } from '../responses/response-filter-mapper.ts';
import type { QuestionSummary, QuestionTexts, Summary } from './summary.ts';
import type { SummaryQuery } from './summary-service.ts';
import { intervals } from './survey-times.ts';

export function toSummaryQuery(request: GetSummaryRequest): SummaryQuery {
  return {
    filter: fromFilterMessage(request),
    timeZone: request.tz ?? 'UTC',
    interval: intervals.find((known) => known === request.interval),
    displayLanguage: request.displayLanguage,
    atLeastVersion: request.atLeastVersion,
  };
}

export function toSummaryMessage(summary: Summary): CompleteFields<typeof GetSummaryResponseSchema> {
  const { surveyVersion, responses, byDay, timeline = [], versions, questions, dropOff, pages, completion } = summary;
  return {
    surveyVersion,
    responses,
    byDay: [...byDay],
    questions: questions.map(toQuestionMessage),
    dropOff: [...dropOff],
    timeline: [...timeline],
    versions: [...versions],
    pages: [...pages],
    completion,
  };
}

function toQuestionMessage(question: QuestionSummary & QuestionTexts): CompleteFields<typeof QuestionSummarySchema> {
  const { options = [], numbers = {}, rows = [], periods = [], answered, shown, texts } = question;
  return {
    questionId: question.questionId,
    type: question.type,
    answered,
    skipped: question.skipped,
    options: options.map((option) => ({ ...option, text: texts.options.get(option.id) })),
    mean: numbers.mean,
    median: numbers.median,
    stddev: numbers.stddev,
    min: numbers.min,
    max: numbers.max,
    rows: rows.map((row) => ({ ...row, options: [...row.options], text: texts.rows.get(row.id) })),
    title: question.title,
    page: question.page,
    versions: [...question.versions],
    otherVersions: [...question.otherVersions],
    shown,
    unanswered: shown - answered,
    notShown: answered + question.skipped - shown,
    histogram: [...(numbers.histogram ?? [])],
    nps: numbers.nps,
    periods: [...periods],
    columns: rows.length === 0 ? [] : toColumns(question),
    files: question.files,
  };
}

function toColumns({ type, texts }: QuestionSummary & QuestionTexts) {
  return [...(type === 'matrix' ? texts.columns : texts.options)].map(([id, text]) => ({ id, text }));
}
