import type { CountedQuestion } from '@survey/questionnaire/compile';
import type { ResponseData } from '@survey/questionnaire/validate';
import type { ResponseAnswers } from '../responses/response.ts';
import type { DayOf } from './day-in.ts';
import type { Distinct } from './number-tally.ts';
import type { Unchosen } from './option-tally.ts';
import { createQuestionTally, type QuestionTally } from './question-tally.ts';
import type { DropOff, Summary } from './summary.ts';

/** Different numbers that are told apart, in all questions together. A million take some 60 MB. */
const MAX_DISTINCT = 1_000_000;
/** Options that are listed though nobody chose them, the latest version's first: it has no more than half of these. */
const MAX_LISTED = 200_000;

/** A question of a version, with the tally of all versions that have it. */
interface Asked {
  readonly id: string;
  readonly countable: CountedQuestion['countable'];
  readonly tally: QuestionTally;
}

/** Questions by version. */
export type Versions = ReadonlyMap<number, readonly CountedQuestion[]>;

/** Counts responses to a survey one after the other, in memory that does not grow with them. */
export interface SurveyTally {
  counts(): SurveyCounts;
  /** Those to versions that it does not know it passes over. */
  add(response: ResponseAnswers): void;
  /** Adds what was counted of other responses, by the same versions. */
  absorb(counts: SurveyCounts): void;
  summary(): Summary;
}

export interface SurveyCounts {
  /** Memory that they take, in entries of maps: some 80 bytes each. */
  readonly size: number;
  /** How many are completed. */
  readonly responses: number;
  readonly questions: ReadonlyMap<string, QuestionTally>;
  /** How many were completed on a day. */
  readonly days: ReadonlyMap<string, number>;
  /** How many stopped at a question. */
  readonly stops: ReadonlyMap<string, number>;
}

/** @param versions their questions by number, the latest first */
export function createSurveyTally(
  versions: Versions,
  dayOf: DayOf,
  { maxDistinct = MAX_DISTINCT, maxListed = MAX_LISTED } = {},
): SurveyTally {
  const distinct: Distinct = { left: maxDistinct };
  const unchosen: Unchosen = { left: maxListed };
  const questions = new Map<string, QuestionTally>();
  const days = new Map<string, number>();
  const stops = new Map<string, number>();
  let responses = 0;
  const askedIn = new Map([...versions].map(([version, questions]) => [version, questions.map(toAsked)]));

  function toAsked(question: CountedQuestion): Asked {
    const { id, countable } = question;
    const tally = questions.get(id) ?? createQuestionTally(question, distinct);
    questions.set(id, tally);
    tally.list(countable, unchosen);
    return { id, countable, tally };
  }

  function addCompleted(completedAt: Date, data: ResponseData, asked: readonly Asked[]): void {
    responses += 1;
    increase(days, dayOf(completedAt));
    for (const { id, countable, tally } of asked) {
      const answer = Object.hasOwn(data, id) ? data[id] : undefined;
      if (answer !== undefined) tally.add(answer, countable);
    }
  }

  function add({ surveyVersion, status, completedAt, data: stored }: ResponseAnswers): void {
    const asked = askedIn.get(surveyVersion);
    if (asked === undefined) return;
    // Stored answers are what the version's own rules gave.
    const data = stored as ResponseData;
    if (status === 'completed' && completedAt !== undefined) addCompleted(completedAt, data, asked);
    if (status === 'in_progress' || status === 'abandoned')
      increase(stops, asked.findLast(({ id }) => Object.hasOwn(data, id))?.id ?? '');
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

    absorb(counts) {
      responses += counts.responses;
      for (const [day, count] of counts.days) increase(days, day, count);
      for (const [questionId, count] of counts.stops) increase(stops, questionId, count);
      for (const [questionId, question] of counts.questions) questions.get(questionId)?.absorb(question);
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

function increase(counts: Map<string, number>, key: string, more = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
