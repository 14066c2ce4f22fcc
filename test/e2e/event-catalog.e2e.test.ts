import { poll } from '@survey/runtime/testing/poll';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDatabase } from '../support/faults/mongodb.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createTenant } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

interface EventType {
  readonly name: string;
  readonly schema: AnySchemaObject;
  readonly example: Body;
}

interface Body {
  readonly event: string;
  readonly data: object;
}

let receiver: Receiver;
let failing: Receiver;
let types: readonly EventType[];

beforeAll(async () => {
  receiver = await startReceiver();
  failing = await startReceiver(() => 410);
  const { api } = await createTenant();
  types = (await api('GET', '/v1/webhook-event-types')).body;
  await makeEverythingHappen(api);
});

afterAll(async () => {
  await receiver.close();
  await failing.close();
});

const bodies = (): readonly Body[] => receiver.received.map(({ raw }) => JSON.parse(raw.toString()));

const SUBMITTED = 'response.submitted';
/** One by the survey's address, one by a link, and one on behalf of a respondent. */
const SUBMITTED_COUNT = 3;

/** Whether events of every type and submission channel have arrived. */
const isComplete = () =>
  types.every(({ name }) => bodies().some(({ event }) => event === name)) &&
  bodies().filter(({ event }) => event === SUBMITTED).length >= SUBMITTED_COUNT;

async function makeEverythingHappen(api: Api): Promise<void> {
  const { body: webhook } = await api('POST', '/v1/webhooks', {
    body: { url: receiver.url, event_types: ['*'], include_answers: true },
  });
  await api('POST', '/v1/webhooks', { body: { url: failing.url, event_types: ['survey.created'] } });
  await api('POST', `/v1/webhooks/${webhook.id}/test`, { body: {} });

  const survey = (await api('POST', '/v1/surveys', { body: lunchSurvey })).body;
  await api('PATCH', `/v1/surveys/${survey.id}`, {
    body: { settings: { languages: ['en'], response_limit: SUBMITTED_COUNT } },
  });
  await api('POST', `/v1/surveys/${survey.id}/publish`);
  const { body: link } = await api('POST', `/v1/surveys/${survey.id}/links`, { body: {} });
  const submission = { data: lunchAnswers, language: 'en', started_at: '2026-01-02T03:04:05Z' };
  for (const path of [`surveys/${survey.id}`, `links/${link.slug}`]) {
    expect((await api('POST', `/v1/public/${path}/responses`, { body: { data: lunchAnswers } })).status).toBe(201);
  }
  const { body: response } = await api('POST', `/v1/surveys/${survey.id}/responses`, { body: submission });
  await api('PATCH', `/v1/responses/${response.id}`, { body: { data: { comment: 'corrected' } } });
  await api('DELETE', `/v1/responses/${response.id}`);
  await importResponses(api, survey.id, 'no');
  await importResponses(api, survey.id, 'perhaps');
  await leaveSurvey(api);
  await api('POST', `/v1/surveys/${survey.id}/close`);
  await api('DELETE', `/v1/surveys/${survey.id}`);
  // The service looks for inactive responses once a minute.
  await poll(isComplete, { timeoutMs: 120_000 }).catch(() => undefined);
}

/** Abandons a response, and is disqualified in another one. */
async function leaveSurvey(api: Api): Promise<void> {
  const isSpam = { source_question: 'comment', operator: 'equals', value: 'spam', action: 'disqualify' };
  const disqualify = { question_id: 'comment', action: 'disqualify', conditions: [isSpam] };
  const logic = [...lunchSurvey.survey.logic, disqualify];
  const { body: survey } = await api('POST', '/v1/surveys', {
    body: { ...lunchSurvey, survey: { ...lunchSurvey.survey, logic } },
  });
  await api('POST', `/v1/surveys/${survey.id}/publish`);
  const submit = async (status: string, data: object): Promise<string> => {
    const made = await api('POST', `/v1/public/surveys/${survey.id}/responses`, { body: { status, data } });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  await submit('completed', { ...lunchAnswers, comment: 'spam' });
  const left = await submit('in_progress', {});
  await withDatabase('survey-response', (db) =>
    db.collection<{ _id: string }>('responses').updateOne({ _id: left }, { $set: { updated_at: new Date(0) } }),
  );
}

function importResponses(api: Api, surveyId: string, value: string) {
  const responses = [
    { id: `R_${value}`, submitted_at: '2026-01-02T03:04:05Z', answers: [{ question_id: 'came', value }] },
  ];
  return api('POST', `/v1/surveys/${surveyId}/responses/import`, { body: { format: 'json', responses } });
}

/** Makes unknown members an error. */
function strictly(schema: AnySchemaObject): AnySchemaObject {
  const { properties, items, ...rest } = schema;
  return {
    ...rest,
    ...(items === undefined ? {} : { items: strictly(items) }),
    ...(properties === undefined
      ? {}
      : {
          additionalProperties: false,
          properties: Object.fromEntries(
            Object.entries<AnySchemaObject>(properties).map(([name, member]) => [name, strictly(member)]),
          ),
        }),
  };
}

describe('the catalog of events', () => {
  it('has exactly the types that are sent', () => {
    const sent = new Set(bodies().map(({ event }) => event));
    expect([...sent].sort()).toEqual(types.map(({ name }) => name).sort());
  });

  it('describes every member that is sent', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    const checks = new Map(types.map(({ name, schema }) => [name, ajv.compile(strictly(schema))]));
    for (const { event, data } of bodies()) {
      const check = checks.get(event);
      expect(check?.(data), `${event} ${JSON.stringify(data)} ${JSON.stringify(check?.errors)}`).toBe(true);
    }
  });

  it('has examples with the members of a body', () => {
    for (const body of bodies()) {
      const example = types.find(({ name }) => name === body.event)?.example ?? {};
      expect(Object.keys(example).sort()).toEqual(Object.keys(body).sort());
    }
  });

  it('describes answers correctly: webhooks that include them get them', () => {
    const submitted = bodies().filter(({ event }) => event === SUBMITTED);
    expect(submitted.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ answers: lunchAnswers, revision: 1, link_id: expect.any(String) }),
    );
  });
});
