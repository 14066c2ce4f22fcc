import { afterEach, describe, expect, inject, it } from 'vitest';
import { type AnsweredSurvey, startAnsweredSurvey } from '../support/faults/answered-survey.ts';
import { submitMany } from '../support/faults/retrying-client.ts';
import { killProcess, type StackProcess, whileHanging, whileStopped } from '../support/faults/supervised.ts';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { createApi } from '../support/platform.ts';

let survey: AnsweredSurvey;
afterEach(() => survey.close());

async function expectShown({ surveyId }: AnsweredSurvey): Promise<void> {
  const shown = await createApi()('GET', `/v1/public/surveys/${surveyId}`);
  expect(shown).toMatchObject({ status: 200, body: { id: surveyId, definition: lunchSurvey.survey } });
}

const isOurs = inject('stack').kafka.pid !== undefined;
const others: readonly StackProcess[] = ['survey', 'identity', 'import', 'webhook'];
const absences: readonly { readonly title: string; readonly away: readonly StackProcess[] }[] = [
  { title: 'the survey service is', away: ['survey'] },
  { title: 'all other services and Kafka are', away: isOurs ? [...others, 'kafka'] : others },
];

// The second case includes the first.
describe.each(inject('testScope') === 'all' ? absences : absences.slice(1))(
  'when $title stopped and the response service starts again',
  ({ away }) => {
    it('a cached survey can be read and answered, and its responses are delivered later', async () => {
      survey = await startAnsweredSurvey();
      const ids = [...(await submitMany(survey.surveyId, 5))];
      await whileStopped(away, async () => {
        await killProcess('response');
        await expectShown(survey);
        ids.push(...(await submitMany(survey.surveyId, 50)));
      });
      await survey.expectStored(ids);
      await survey.untilDelivered(ids);
    });
  },
);

describe('when survey, identity, import and webhook hang', () => {
  it('a cached survey can be read and answered, and its responses are delivered later', async () => {
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
