import type {
  CrosstabSchema,
  GetSummaryRequest,
  GetSummaryResponseSchema,
  GroupAnswersSchema,
  QuestionSummarySchema,
  ResponseGroupsSchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import type { CompleteFields } from '@survey/runtime/rpc/message-fields';
import type { Grouping } from './crosstabs/grouping.ts';
import { fromSelectionMessage } from './response-mapper.ts';
import type {
  CrosstabTable,
  Groups,
  QuestionSummary,
  QuestionTexts,
  Summary,
  TableColumn,
} from './summaries/summary.ts';
import type { SummaryQuery } from './summaries/summary-service.ts';
import { intervals } from './summaries/survey-times.ts';

export function toSummaryQuery(request: GetSummaryRequest): SummaryQuery {
  return {
    selection: fromSelectionMessage(request),
    timeZone: request.tz ?? 'UTC',
    interval: intervals.find((known) => known === request.interval),
    displayLanguage: request.displayLanguage,
    atLeastVersion: request.atLeastVersion,
    grouping: toGrouping(request),
    minCell: request.minCell,
  };
}

const METADATA = 'metadata.';

/** Throws `INVALID_REQUEST` for parameters that cannot be combined. */
function toGrouping({ by, byQuestion, minCell }: GetSummaryRequest): Grouping | undefined {
  if (by !== undefined && byQuestion !== undefined)
    throw invalidParameter('/by', 'cannot be used with `by_question`: a summary has one kind of groups');
  if (by === undefined && byQuestion === undefined && minCell !== undefined)
    throw invalidParameter('/min_cell', 'needs `by` or `by_question`: only counts of groups are hidden');
  if (byQuestion !== undefined) return { by: 'question', questionId: byQuestion };
  if (by === 'link' || by === 'language') return { by };
  return by === undefined ? undefined : { by: 'metadata', name: by.slice(METADATA.length) };
}

function invalidParameter(path: string, detail: string): AppError {
  return new AppError('INVALID_REQUEST', { errors: [{ path, code: 'INVALID', detail }] });
}

export function toSummaryMessage(summary: Summary): CompleteFields<typeof GetSummaryResponseSchema> {
  const { surveyVersion, responses, byDay, timeline = [], versions, questions, dropOff, pages, completion } = summary;
  const { lackingQuestion, groups } = summary;
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
    lackingQuestion,
    grouping: groups && toGroupingMessage(groups, questions),
  };
}

function toGroupingMessage(
  { grouping, groups, isOverlapping, hasUncounted }: Groups,
  questions: Summary['questions'],
): CompleteFields<typeof ResponseGroupsSchema> {
  const byQuestion = grouping.by === 'question' ? grouping.questionId : undefined;
  const texts = questions.find(({ questionId }) => questionId === byQuestion)?.texts.options;
  return {
    by: toBy(grouping),
    byQuestion,
    groups: groups.map(({ kind, value, responses }) => {
      const text = kind === 'value' ? texts?.get(value) : undefined;
      return { kind, value, text, responses };
    }),
    overlapping: isOverlapping,
    moreValues: hasUncounted,
  };
}

function toBy(grouping: Grouping): string | undefined {
  if (grouping.by === 'question') return undefined;
  return grouping.by === 'metadata' ? `${METADATA}${grouping.name}` : grouping.by;
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
    rows: rows.map((row) => ({
      ...{ id: row.id, answered: row.answered, options: [...row.options], text: texts.rows.get(row.id) },
      crosstab: row.crosstab && toCrosstabMessage(row.crosstab, row.answered, row.options),
    })),
    title: question.title,
    page: question.page,
    versions: [...question.versions],
    otherVersions: [...question.otherVersions],
    shown,
    unanswered: shown - answered,
    // `answered` and `skipped` together count all responses.
    notShown: answered + question.skipped - shown,
    histogram: [...(numbers.histogram ?? [])],
    nps: numbers.nps,
    periods: [...periods],
    columns: rows.length === 0 ? [] : toColumns(question),
    files: question.files,
    crosstab:
      question.crosstab &&
      toCrosstabMessage(question.crosstab, answered, question.options ?? question.periods ?? numbers.histogram ?? []),
  };
}

/**
 * @param answered number of responses with an answer in all groups
 * @param lines the options, numbers or periods of the question or row, with the counts of all groups
 */
function toCrosstabMessage(
  { groups, test }: CrosstabTable,
  answered: number,
  lines: readonly { readonly count: number }[],
): CompleteFields<typeof CrosstabSchema> {
  return {
    groups: groups.map((group) => toGroupAnswersMessage(group, answered, lines)),
    test: typeof test === 'string' ? undefined : test,
    noTest: typeof test === 'string' ? test : undefined,
  };
}

function toGroupAnswersMessage(
  { answered, unanswered, notShown, cells, numbers, files }: TableColumn,
  total: number,
  lines: readonly { readonly count: number }[],
): CompleteFields<typeof GroupAnswersSchema> {
  return {
    answered,
    answeredShare: toShare(answered, total),
    unanswered,
    notShown,
    cells: cells.map((count, line) => ({
      count,
      rowShare: toShare(count, lines[line]?.count),
      columnShare: toShare(count, answered),
    })),
    mean: numbers?.mean,
    meanInterval: numbers?.interval,
    median: numbers?.median,
    nps: numbers?.nps,
    files,
  };
}

/** Undefined for a hidden count, and if there is nothing to share. */
function toShare(count: number | undefined, total: number | undefined): number | undefined {
  return count === undefined || total === undefined || total === 0 ? undefined : count / total;
}

/** The choices of each row. The rows of a likert question share its options. */
function toColumns({ type, texts }: QuestionSummary & QuestionTexts) {
  return [...(type === 'matrix' ? texts.columns : texts.options)].map(([id, text]) => ({ id, text }));
}
