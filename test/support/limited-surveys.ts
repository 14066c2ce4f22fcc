/** A survey with a limit, and the responses that were acknowledged as complete. */
export interface LimitedSurvey {
  readonly surveyId: string;
  readonly acknowledged: readonly string[];
  /** Whether somebody was told that there is no place left. */
  readonly isFull: boolean;
}

/** Surveys with limits, one after the other: when all places of one are taken, there is the next. */
export interface LimitedSurveys {
  readonly all: readonly LimitedSurvey[];
  /** Has somebody answer, in the next survey when this one is full. `answer` gives undefined then, else the id. */
  takePlace(answer: (surveyId: string) => Promise<string | undefined>): Promise<string>;
}

interface Growing extends LimitedSurvey {
  readonly acknowledged: string[];
  isFull: boolean;
}

export function createLimitedSurveys(make: () => Promise<string>): LimitedSurveys {
  const all: Growing[] = [];
  let current = next();

  async function next(): Promise<Growing> {
    const survey = { surveyId: await make(), acknowledged: [], isFull: false };
    all.push(survey);
    return survey;
  }
  // Who comes is told.
  current.catch(() => undefined);

  return {
    all,
    async takePlace(answer) {
      for (;;) {
        const survey = await current;
        const id = await answer(survey.surveyId);
        if (id !== undefined) {
          survey.acknowledged.push(id);
          return id;
        }
        if (!survey.isFull) current = next();
        survey.isFull = true;
      }
    },
  };
}
