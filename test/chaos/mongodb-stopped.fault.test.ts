import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { type AnsweredSurvey, startAnsweredSurvey } from '../support/faults/answered-survey.ts';
import { untilHealthIs } from '../support/faults/health.ts';
import { startClients, submit, submitOnce } from '../support/faults/retrying-client.ts';
import { whileStopped } from '../support/faults/supervised.ts';

let survey: AnsweredSurvey;
afterEach(() => survey.close());

describe.skipIf(inject('stack').mongodb.pid === undefined)('when MongoDB is stopped while answers come in', () => {
  it('no acknowledged response is lost, clients get errors, and everything recovers', async () => {
    survey = await startAnsweredSurvey();
    const { surveyId } = survey;
    const clients = startClients(8, () => submit(surveyId));
    await poll(() => clients.acknowledged.length >= 100);

    await whileStopped(['mongodb'], async () => {
      await untilHealthIs({ database: false, queue: true });
      const rejected = await submitOnce(surveyId);
      expect(rejected).toMatchObject({
        status: 503,
        body: {
          type: expect.any(String),
          title: expect.any(String),
          status: 503,
          detail: expect.any(String),
          code: 'UNAVAILABLE',
          request_id: expect.any(String),
        },
      });
      expect(rejected.headers.get('content-type')).toBe('application/problem+json');
      expect(rejected.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    });

    await untilHealthIs({ database: true, queue: true });
    const atReturn = clients.acknowledged.length;
    await poll(() => clients.acknowledged.length >= atReturn + 100);
    const ids = await clients.stop();
    await survey.expectStored(ids);
    await survey.untilDelivered(ids);
  });
});
