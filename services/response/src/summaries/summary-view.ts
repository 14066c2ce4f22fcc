import { OTHER } from '@survey/questionnaire/answers/answer-value';
import type { Labels } from '@survey/questionnaire/labels';
import type { OffsetAt } from '@survey/runtime/rest/timestamp';
import { type CompiledSurvey, labelsOf } from '../surveys/definition.ts';
import type {
  Completion,
  PageSummary,
  QuestionSummary,
  StatusCounts,
  Summary,
  SurveyCountsSummary,
} from './summary.ts';
import type { Interval, SurveyTimes } from './survey-times.ts';

/** The form in which a summary is shown. */
export interface SummaryStyle {
  readonly offsetAt: OffsetAt;
  readonly interval: Interval | undefined;
  /** Default: the first language of the survey. */
  readonly displayLanguage: string | undefined;
}

/** The counts of a survey, which do not depend on time zone and language. */
export interface SurveyStatistics {
  readonly counts: SurveyCountsSummary;
  readonly times: SurveyTimes;
}

type ListName = 'options' | 'rows' | 'columns';

/** The ids of a question, with the texts that were found so far. */
interface WantedTexts {
  readonly question: QuestionSummary;
  title: string | undefined;
  readonly items: Readonly<Record<ListName, Map<string, string | undefined>>>;
}

/** Maximum length of all texts together. The texts of one version have at most half of this length. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;
/** Maximum number of versions that are searched for texts that the latest version lacks. */
const MAX_SEARCHED = 20;

/**
 * Makes a summary from the counts of a survey, with texts in a language. Each text comes from the latest version that
 * has it. Throws `INVALID_REQUEST` if there are too many intervals.
 */
export async function toSummary(
  { counts, times }: SurveyStatistics,
  { offsetAt, interval, displayLanguage }: SummaryStyle,
  findVersion: (version: number) => Promise<CompiledSurvey>,
): Promise<Omit<Summary, 'surveyVersion' | 'lackingQuestion'>> {
  const { responses, versions, questions, groups, dropOff, statuses } = counts;
  const timeline = interval && times.timeline(interval, offsetAt);
  const wanted = questions.map(toWanted);
  const fill = createTextFiller(wanted);
  let pages: readonly (string | undefined)[] | undefined;
  // The latest version comes first. The summary has its pages.
  for (const version of versions.slice(0, MAX_SEARCHED)) {
    if (pages !== undefined && wanted.every(isFound)) break;
    const labels = labelsOf(await findVersion(version), displayLanguage);
    pages ??= labels.pages;
    fill(version, labels);
  }
  return {
    responses,
    byDay: times.byDay(offsetAt),
    timeline,
    versions,
    questions: wanted.map(({ question, title, items }) => ({ ...question, title, texts: items })),
    groups,
    // The count is 0 if all responses that stopped at the question were disqualified.
    dropOff: dropOff.filter(({ count }) => count > 0),
    pages: toPages(pages ?? [], counts),
    completion: toCompletion(statuses, times),
  };
}

/** Lists the ids whose texts the summary needs. */
function toWanted(question: QuestionSummary): WantedTexts {
  const { type, options = [], rows = [] } = question;
  const toMap = (ids: readonly { readonly id: string }[]) => new Map(ids.map(({ id }) => [id, undefined]));
  // The choices of all rows: the options of a likert question, or the columns of a matrix.
  const columns = toMap(rows.flatMap((row) => row.options));
  return {
    question,
    title: undefined,
    items: {
      options: type === 'likert' && rows.length > 0 ? columns : toMap(options),
      rows: toMap(rows),
      columns: type === 'matrix' ? columns : new Map(),
    },
  };
}

function isFound({ title, items }: WantedTexts): boolean {
  return title !== undefined && Object.values(items).every((texts) => texts.entries().every(hasText));
}

/** The option `other` has no text. */
function hasText([id, text]: readonly [string, string | undefined]): boolean {
  return text !== undefined || id === OTHER;
}

/** Returns a function that fills in missing texts from a version, up to `MAX_TEXT_LENGTH`. */
function createTextFiller(wanted: readonly WantedTexts[]) {
  let left = MAX_TEXT_LENGTH;

  function limited(text: string | undefined): string | undefined {
    left -= text?.length ?? 0;
    return left < 0 ? undefined : text;
  }

  return (version: number, labels: Labels): void => {
    for (const one of wanted) {
      const { questionId, versions } = one.question;
      if (!versions.includes(version) || isFound(one)) continue;
      one.title ??= limited(labels.findTitle(questionId));
      for (const list of ['options', 'rows', 'columns'] as const)
        for (const [id, text] of one.items[list])
          if (text === undefined) one.items[list].set(id, limited(labels.findText(questionId, { list, id })));
    }
  };
}

/**
 * Counts the responses that reached each page. A response that ended on a page does not reach later pages. A response
 * does not reach a page that logic hid, but can reach later pages. Pages of earlier versions beyond the last page count
 * as the last page.
 */
function toPages(titles: readonly (string | undefined)[], counts: SurveyCountsSummary): readonly PageSummary[] {
  const pageByQuestion = new Map(
    counts.questions.map(({ questionId, page }) => [questionId, Math.min(page, titles.length)]),
  );
  const ended = titles.map(() => ({ stopped: 0, disqualified: 0 }));
  for (const { questionId, count, disqualified } of counts.dropOff) {
    // A response without answers ended on the first page.
    const page = ended[(pageByQuestion.get(questionId) ?? 1) - 1];
    if (page === undefined) continue;
    page.stopped += count;
    page.disqualified += disqualified;
  }
  const hidden = titles.map(() => 0);
  for (const [page, count] of counts.hiddenPages) {
    const index = Math.min(page, titles.length) - 1;
    hidden[index] = (hidden[index] ?? 0) + count;
  }
  let remaining = totalOf(counts.statuses);
  return titles.map((title, index) => {
    const { stopped = 0, disqualified = 0 } = ended[index] ?? {};
    // The last page can stand for several pages of an earlier version: one hidden, and one where the response ended.
    const reached = Math.max(stopped + disqualified, remaining - (hidden[index] ?? 0));
    remaining -= stopped + disqualified;
    return { page: index + 1, title, reached, stopped };
  });
}

function toCompletion(statuses: StatusCounts, times: SurveyTimes): Completion {
  return { started: totalOf(statuses), ...statuses, medianSeconds: times.medianSeconds() };
}

function totalOf({ completed, disqualified, inProgress, abandoned }: StatusCounts): number {
  return completed + disqualified + inProgress + abandoned;
}
