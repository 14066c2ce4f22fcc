import { afterEach, describe, expect, inject, it } from 'vitest';
import { type AnsweredSurvey, startAnsweredSurvey } from '../support/answered-survey.ts';
import { submitMany } from '../support/careful-client.ts';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { killPart, type Part, whileHanging, whileStopped } from '../support/parts.ts';
import { createApi } from '../support/platform.ts';

let survey: AnsweredSurvey;
afterEach(() => survey.close());

async function expectShown({ surveyId }: AnsweredSurvey): Promise<void> {
  const shown = await createApi()('GET', `/v1/public/surveys/${surveyId}`);
  expect(shown).toMatchObject({ status: 200, body: { id: surveyId, definition: lunchSurvey.survey } });
}

const isOurs = inject('stack').kafka.pid !== undefined;
const others: readonly Part[] = ['survey', 'identity', 'import', 'webhook'];
const absences: readonly { readonly who: string; readonly away: readonly Part[] }[] = [
  { who: 'the survey service is', away: ['survey'] },
  { who: 'all other services and Kafka are', away: isOurs ? [...others, 'kafka'] : others },
];

// The second has the first in it.
describe.each(inject('testScope') === 'all' ? absences : absences.slice(1))(
  'when $who stopped and the response service starts again',
  ({ away }) => {
    it('a known survey is shown and answered, and the answers are delivered later', async () => {
      survey = await startAnsweredSurvey();
      const ids = [...(await submitMany(survey.surveyId, 5))];
      await whileStopped(away, async () => {
        await killPart('response');
        await expectShown(survey);
        ids.push(...(await submitMany(survey.surveyId, 50)));
      });
      await survey.expectStored(ids);
      await survey.untilDelivered(ids);
    });
  },
);

describe('when survey, identity, import and webhook hang', () => {
  it('a known survey is shown and answered, and the answers are delivered later', async () => {
    survey = await startAnsweredSurvey();
    const ids = [...(await submitMany(survey.surveyId, 5))];
    await whileHanging(others, async () => {
      await expectShown(survey);
      ids.push(...(await submitMany(survey.surveyId, 50)));
    });
    await survey.expectStored(ids);
    await survey.untilDelivered(ids);
  });
});
