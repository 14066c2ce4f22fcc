import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import type { ResponseData } from '@survey/questionnaire/validate';
import type { ResponseAnswers } from '../responses/response.ts';
import type { DayOf } from './day-in.ts';
import type { DistinctBudget } from './number-tally.ts';
import type { UnchosenOptionBudget } from './option-tally.ts';
import { createQuestionTally, type QuestionTally } from './question-tally.ts';
import type { DropOff, Summary } from './summary.ts';

/** Maximum number of distinct numbers in all questions together. A million take about 60 MB. */
const MAX_DISTINCT = 1_000_000;
/** Maximum number of options listed before they are chosen. The latest version is first and needs at most half. */
const MAX_LISTED = 200_000;

/** A question of a version, with the tally that all versions share. */
interface TalliedQuestion {
  readonly id: string;
  readonly countable: CountedQuestion['countable'];
  readonly tally: QuestionTally;
}

/** Questions by version. */
export type Versions = ReadonlyMap<number, readonly CountedQuestion[]>;

/** Counts the responses to a survey. Memory is bounded, independent of the number of responses. */
export interface SurveyTally {
  counts(): SurveyCounts;
  /** Ignores responses to unknown versions. */
  add(response: ResponseAnswers): void;
  /** Adds the counts of other responses to the same versions. */
  merge(counts: SurveyCounts): void;
  summary(): Summary;
}

export interface SurveyCounts {
  /** Memory, in map entries of about 80 bytes. */
  readonly size: number;
  /** Number of completed responses. */
  readonly responses: number;
  readonly questions: ReadonlyMap<string, QuestionTally>;
  /** Completed responses by day. */
  readonly days: ReadonlyMap<string, number>;
  /** Unfinished responses by the question of the last answer. */
  readonly stops: ReadonlyMap<string, number>;
}

/** @param versions latest first */
export function createSurveyTally(
  versions: Versions,
  dayOf: DayOf,
  { maxDistinct = MAX_DISTINCT, maxListed = MAX_LISTED } = {},
): SurveyTally {
  const distinct: DistinctBudget = { left: maxDistinct };
  const unchosen: UnchosenOptionBudget = { left: maxListed };
  const questions = new Map<string, QuestionTally>();
  const days = new Map<string, number>();
  const stops = new Map<string, number>();
  let responses = 0;
  const questionsIn = new Map([...versions].map(([version, questions]) => [version, questions.map(toTallied)]));

  function toTallied(question: CountedQuestion): TalliedQuestion {
    const { id, countable } = question;
    const tally = questions.get(id) ?? createQuestionTally(question, distinct);
    questions.set(id, tally);
    tally.addUnchosen(countable, unchosen);
    return { id, countable, tally };
  }

  function addCompleted(completedAt: Date, data: ResponseData, versionQuestions: readonly TalliedQuestion[]): void {
    responses += 1;
    increase(days, dayOf(completedAt));
    for (const { id, countable, tally } of versionQuestions) {
      const answer = Object.hasOwn(data, id) ? data[id] : undefined;
      if (answer !== undefined) tally.add(answer, countable);
    }
  }

  function add({ surveyVersion, status, completedAt, data: stored }: ResponseAnswers): void {
    const versionQuestions = questionsIn.get(surveyVersion);
    if (versionQuestions === undefined) return;
    // Stored answers were validated by the rules of the version.
    const data = stored as ResponseData;
    if (status === 'completed' && completedAt !== undefined) addCompleted(completedAt, data, versionQuestions);
    if (status === 'in_progress' || status === 'abandoned')
      increase(stops, versionQuestions.findLast(({ id }) => Object.hasOwn(data, id))?.id ?? '');
  }

  function dropOff(): readonly DropOff[] {
    return ['', ...questions.keys()].flatMap((questionId) => {
      const count = stops.get(questionId);
      return count === undefined ? [] : [{ questionId, count }];
    });
  }

  return {
    add,

    counts() {
      const size = questions.values().reduce((sum, question) => sum + question.size, days.size + stops.size);
      return { size, responses, questions, days, stops };
    },

    merge(counts) {
      responses += counts.responses;
      for (const [day, count] of counts.days) increase(days, day, count);
      for (const [questionId, count] of counts.stops) increase(stops, questionId, count);
      for (const [questionId, question] of counts.questions) questions.get(questionId)?.merge(question);
    },

    summary() {
      return {
        responses,
        byDay: [...days].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? -1 : 1)),
        questions: [...questions.values()].map((question) => question.summary(responses)),
        dropOff: dropOff(),
      };
    },
  };
}

function increase(counts: Map<string, number>, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
