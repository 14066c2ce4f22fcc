import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { type AnsweredSurvey, startAnsweredSurvey } from '../support/faults/answered-survey.ts';
import { untilHealthIs } from '../support/faults/health.ts';
import { submitMany } from '../support/faults/retrying-client.ts';
import { whileStopped } from '../support/faults/supervised.ts';

const OUTAGE_MS = inject('testScope') === 'all' ? 20_000 : 5_000;

let survey: AnsweredSurvey;
afterEach(() => survey.close());

describe.skipIf(inject('stack').kafka.pid === undefined)('when Kafka is stopped', () => {
  it('responses are accepted, /health reports it, and the webhooks arrive afterwards', async () => {
    survey = await startAnsweredSurvey();
    const ids = [...(await submitMany(survey.surveyId, 20))];
    await whileStopped(['kafka'], async () => {
      const outage = sleep(OUTAGE_MS);
      ids.push(...(await submitMany(survey.surveyId, 100)));
      await untilHealthIs({ database: true, queue: false });
      await outage;
      ids.push(...(await submitMany(survey.surveyId, 100)));
      await untilHealthIs({ database: true, queue: false });
    });
    await untilHealthIs({ database: true, queue: true });
    ids.push(...(await submitMany(survey.surveyId, 20)));
    await survey.expectStored(ids);
    await survey.untilDelivered(ids);
    expect(ids).toHaveLength(240);
  });
});
