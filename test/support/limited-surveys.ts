/** A survey with a limit and its completed responses. */
export interface LimitedSurvey {
  readonly surveyId: string;
  readonly acknowledged: readonly string[];
  /** Whether a respondent was rejected because of the limit. */
  readonly isFull: boolean;
}

/** Surveys with limits: when one is full, the next is created. */
export interface LimitedSurveys {
  readonly all: readonly LimitedSurvey[];
  /** Submits a response with `answer`, which returns undefined if the survey is full; then uses the next survey. */
  takeSeat(answer: (surveyId: string) => Promise<string | undefined>): Promise<string>;
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
  // `takeSeat` reports failures.
  current.catch(() => undefined);

  return {
    all,
    async takeSeat(answer) {
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
