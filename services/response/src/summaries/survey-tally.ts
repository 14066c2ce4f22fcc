import type { CountedQuestion } from '@survey/questionnaire/compile';
import type { ResponseData } from '@survey/questionnaire/validate';
import type { ResponseAnswers } from '../responses/response.ts';
import type { DayOf } from './day-in.ts';
import type { Distinct } from './number-tally.ts';
import { createQuestionTally, type QuestionTally } from './question-tally.ts';
import type { DropOff, Summary } from './summary.ts';

/** Different numbers that are told apart, in all questions together. A million take some 60 MB. */
const MAX_DISTINCT = 1_000_000;

type Answered = Omit<ResponseAnswers, 'surveyVersion'>;

/** A question of a version, with the tally of all versions that have it. */
interface Asked {
  readonly id: string;
  readonly countable: CountedQuestion['countable'];
  readonly tally: QuestionTally;
}

/** Counts the responses of a survey one after the other, in memory that does not grow with them. */
export function createSurveyTally(dayOf: DayOf, maxDistinct = MAX_DISTINCT) {
  const distinct: Distinct = { left: maxDistinct };
  const questions = new Map<string, QuestionTally>();
  const days = new Map<string, number>();
  const stops = new Map<string, number>();
  let responses = 0;

  function toAsked(question: CountedQuestion): Asked {
    const { id, countable } = question;
    const tally = questions.get(id) ?? createQuestionTally(question, distinct);
    questions.set(id, tally);
    tally.list(countable);
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

  function add({ status, completedAt, data: stored }: Answered, asked: readonly Asked[]): void {
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
    /** Takes in the questions of a version, the latest first, and gives what counts a response to it. */
    list(version: readonly CountedQuestion[]): (response: Answered) => void {
      const asked = version.map(toAsked);
      return (response) => add(response, asked);
    },

    summary(): Summary {
      return {
        responses,
        byDay: [...days].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? -1 : 1)),
        questions: [...questions.values()].map((question) => question.summary(responses)),
        dropOff: dropOff(),
      };
    },
  };
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
