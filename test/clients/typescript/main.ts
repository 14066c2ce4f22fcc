import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.d.ts';

type WebhookEvent = components['schemas']['WebhookEvent'];

const { GATEWAY = '', TOKEN = '' } = process.env;
const api = createClient<paths>({ baseUrl: GATEWAY, headers: { authorization: `Bearer ${TOKEN}` } });
const respondent = createClient<paths>({ baseUrl: GATEWAY });

function required<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const received = Promise.withResolvers<WebhookEvent>();
const receiver = createServer((request, response) => {
  received.resolve(json(request) as Promise<WebhookEvent>);
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const { port } = receiver.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/hook`;
const webhook = required(await api.POST('/v1/webhooks', { body: { url, event_types: ['response.submitted'] } }));

const survey = required(
  await api.POST('/v1/surveys', {
    body: {
      schema_version: '1.0',
      version: 1,
      survey: {
        title: 'Lunch',
        supported_languages: ['en'],
        pages: [
          {
            questions: [
              { id: 'taste', type: 'rating', title: 'How was it?' },
              { id: 'receipt', type: 'file_upload', title: 'Your receipt' },
            ],
          },
        ],
      },
    },
  }),
);
const path = { survey_id: survey.id };
required(await api.POST('/v1/surveys/{survey_id}/publish', { params: { path } }));

const file = required(
  await respondent.POST('/v1/public/surveys/{survey_id}/files', {
    params: { path, query: { question_id: 'receipt', filename: 'receipt.txt' } },
    body: 'One soup.',
    bodySerializer: (body) => body,
    headers: { 'content-type': 'application/octet-stream' },
  }),
);
const submitted: string[] = [];
for (const answers of [{ taste: 3 }, { taste: 4 }, { taste: 5, receipt: [{ file_id: file.file_id }] }]) {
  const params = { path };
  const made = await respondent.POST('/v1/public/surveys/{survey_id}/responses', { params, body: { data: answers } });
  submitted.push(required(made).id);
}

const listed: string[] = [];
let cursor: string | undefined;
do {
  const query = { limit: 2, order: 'asc', ...(cursor === undefined ? {} : { cursor }) } as const;
  const page = await api.GET('/v1/surveys/{survey_id}/responses', { params: { path, query } });
  listed.push(...required(page).map(({ id }) => id));
  const [, next] = /<([^>]*)>; rel="next"/.exec(page.response.headers.get('link') ?? '') ?? [];
  cursor = next === undefined ? undefined : (new URL(next, GATEWAY).searchParams.get('cursor') ?? undefined);
} while (cursor !== undefined);

const exported = required(
  await api.GET('/v1/surveys/{survey_id}/responses/export', { params: { path }, parseAs: 'text' }),
);

const [first = ''] = listed;
const corrected = required(
  await api.PATCH('/v1/responses/{response_id}', {
    params: { path: { response_id: first } },
    body: { data: { taste: 2 } },
  }),
);

const unknown = { survey_id: 'ffffffff-ffff-4fff-bfff-ffffffffffff' };
const { error } = await api.GET('/v1/surveys/{survey_id}', { params: { path: unknown } });

const event = await received.promise;
if (event.event !== 'response.submitted') throw new Error(`unexpected event ${event.event}`);
const deleted = await api.DELETE('/v1/webhooks/{webhook_id}', { params: { path: { webhook_id: webhook.id } } });
receiver.close();
receiver.closeAllConnections();
console.log(
  JSON.stringify({
    survey: survey.id,
    submitted,
    listed,
    exported: exported.trim().split('\n').length - 1,
    file: file.file_id,
    corrected: corrected.data['taste'],
    deleted: deleted.response.status,
    event: { type: event.event, response: event.data.response_id },
    error: error?.code,
  }),
);
