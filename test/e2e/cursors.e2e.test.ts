import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../support/api/api-walk.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createTenant } from '../support/platform.ts';

/** The paths of operations with pagination. */
const lists = operations
  .filter(({ parameters = [] }) => parameters.some((parameter) => JSON.stringify(parameter).includes('cursor')))
  .map(({ path }) => path);

let api: Api;
/** A record id for each path parameter. */
const ids = new Map<string, string>();

const make = async (path: string, body: object = {}) => (await api('POST', path, { body })).body;
const pathOf = (list: string) => list.replace(/\{(\w+)\}/g, (_, name) => ids.get(name) ?? name);

/** The cursor of the second page, with a page size of 1. */
async function cursorOf(path: string): Promise<string> {
  const separator = path.includes('?') ? '&' : '?';
  const { headers } = await api('GET', `${path}${separator}limit=1`);
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  const cursor = new URL(next, 'http://gateway').searchParams.get('cursor');
  if (cursor === null) throw new Error(`${path} has no second page`);
  return cursor;
}

async function publishSurvey(): Promise<string> {
  const { id } = await make('/v1/surveys', lunchSurvey);
  await make(`/v1/surveys/${id}/publish`);
  for (let n = 0; n < 2; n += 1) await make(`/v1/surveys/${id}/responses`, { data: lunchAnswers });
  return id;
}

beforeAll(async () => {
  ({ api } = await createTenant());
  ids.set('survey_id', await publishSurvey());
  ids.set('webhook_id', (await make('/v1/webhooks', { url: 'http://127.0.0.1:9/', event_types: ['*'] })).id);
  await publishSurvey();
  for (const name of ['One', 'Two']) await make('/v1/projects', { name });
});

describe('the cursor of another list', () => {
  it('is tested on several lists', () => {
    expect(lists.length).toBeGreaterThan(8);
  });

  it.each(lists)('is rejected by %s', async (list) => {
    const foreign = await cursorOf(list === '/v1/surveys' ? '/v1/projects' : '/v1/surveys');
    const { status, body } = await api('GET', `${pathOf(list)}?cursor=${foreign}`);
    expect([status, body.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  it.each([
    ['another survey', async () => `/v1/surveys/${await publishSurvey()}/responses`],
    ['another filter', async () => pathOf('/v1/surveys/{survey_id}/responses?status=completed')],
    ['the other order', async () => pathOf('/v1/surveys/{survey_id}/responses?order=asc')],
  ])('is rejected for responses of %s', async (_case, toPath) => {
    const cursor = await cursorOf(pathOf('/v1/surveys/{survey_id}/responses'));
    const path = await toPath();
    const { status, body } = await api('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
    expect([status, body.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  it('is rejected for another tenant', async () => {
    const stranger = await createTenant();
    const { status, body } = await stranger.api('GET', `/v1/surveys?cursor=${await cursorOf('/v1/surveys')}`);
    expect([status, body.code]).toEqual([400, 'INVALID_CURSOR']);
  });
});

it('a cursor is valid with another page size', async () => {
  const path = pathOf('/v1/surveys/{survey_id}/responses');
  const { status, body } = await api('GET', `${path}?limit=50&cursor=${await cursorOf(path)}`);
  expect([status, body.length]).toEqual([200, 1]);
});
