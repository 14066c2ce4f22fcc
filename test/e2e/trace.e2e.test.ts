import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toPaths } from '@survey/local/stack/folder';
import { type CollectedSpan, fetchSpans } from '@survey/runtime/testing/otlp-collector';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createApi, createTenant } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

/** A client with its own unsampled trace, to which the trace of the platform is linked. */
function createTracedClient() {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return {
    traceId,
    headers: { traceparent: `00-${traceId}-${spanId}-00`, tracestate: 'client=secret', baggage: 'secret=1' },
    /** Waits for spans with these labels, and returns all spans of the trace. */
    spans: (...labels: readonly string[]): Promise<readonly CollectedSpan[]> =>
      poll(async () => {
        const spans = await fetchSpans(inject('collector'), traceId);
        const known = new Set(spans.map(labelOf));
        return labels.every((label) => known.has(label)) ? spans : undefined;
      }),
  };
}

const labelOf = ({ service, kind, name }: CollectedSpan) => `${service} ${kind} ${name}`;

/** The labels of a span and its ancestors. */
function pathOf(label: string, spans: readonly CollectedSpan[]): readonly string[] {
  const path: string[] = [];
  let span = spans.find((candidate) => labelOf(candidate) === label);
  while (span !== undefined) {
    path.push(labelOf(span));
    const { parentSpanId } = span;
    span = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return path;
}

const submit = [
  'response server survey.responses.v1.PublicResponseService/SubmitPublicResponse',
  'gateway client POST',
  'gateway server POST /v1/public/surveys/{survey_id}/responses',
] as const;
const definition = [
  'survey client find surveys',
  'survey server survey.surveys.v1.DefinitionService/GetDefinition',
  'response client survey.surveys.v1.DefinitionService/GetDefinition',
  ...submit,
] as const;
const delivery = [
  'webhook client POST webhook',
  'webhook consumer process response.events',
  'response producer send response.events',
  ...submit,
] as const;

const HTTP_CLIENT = {
  'http.request.method': 'POST',
  'http.response.status_code': expect.any(Number),
  'server.address': '127.0.0.1',
  'server.port': expect.any(Number),
};
const DATABASE = {
  'db.system.name': 'mongodb',
  'db.namespace': expect.any(String),
  'server.address': expect.any(String),
  'server.port': expect.any(Number),
};
const messaging = (operation: string) => ({
  'messaging.system': 'kafka',
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': 'response.events',
});
const rpc = (system: string, method: string) => ({
  'rpc.system.name': system,
  'rpc.method': method,
  'rpc.response.status_code': 'OK',
});
const GET_DEFINITION = 'survey.surveys.v1.DefinitionService/GetDefinition';
/** All attributes of the spans of a submit, by the semantic conventions 1.44. */
const ATTRIBUTES: Readonly<Record<string, object>> = {
  'gateway server POST /v1/public/surveys/{survey_id}/responses': {
    'http.request.method': 'POST',
    'http.route': '/v1/public/surveys/{survey_id}/responses',
    'http.response.status_code': 201,
    'network.protocol.version': '1.1',
    'url.scheme': 'http',
  },
  'gateway client POST': { ...HTTP_CLIENT, 'url.scheme': 'http' },
  'response server survey.responses.v1.PublicResponseService/SubmitPublicResponse': rpc(
    'rest',
    'survey.responses.v1.PublicResponseService/SubmitPublicResponse',
  ),
  [`response client ${GET_DEFINITION}`]: {
    ...rpc('grpc', GET_DEFINITION),
    'server.address': '127.0.0.1',
    'server.port': expect.any(Number),
  },
  [`survey server ${GET_DEFINITION}`]: rpc('grpc', GET_DEFINITION),
  'survey client find surveys': {
    ...DATABASE,
    'db.operation.name': 'find',
    'db.collection.name': 'surveys',
  },
  'response producer send response.events': messaging('send'),
  'webhook consumer process response.events': {
    ...messaging('process'),
    'messaging.consumer.group.name': expect.stringMatching(/^webhook\./),
    'messaging.destination.partition.id': expect.stringMatching(/^\d+$/),
    'messaging.kafka.offset': expect.any(Number),
  },
  'webhook client POST webhook': HTTP_CLIENT,
};
const RESOURCE = [
  'service.instance.id',
  'service.name',
  'service.version',
  'telemetry.sdk.language',
  'telemetry.sdk.name',
  'telemetry.sdk.version',
];

describe('the trace of an answer', () => {
  it('is one trace of the platform, from the gateway to the webhook, without secrets', async () => {
    const { api, tenantId } = await createTenant();
    const receiver = await startReceiver();
    receivers.push(receiver);
    await api('POST', '/v1/webhooks', { body: { url: receiver.url, event_types: ['response.submitted'] } });
    const { body: survey } = await api('POST', '/v1/surveys', { body: lunchSurvey });
    await api('POST', `/v1/surveys/${survey.id}/publish`);

    const client = createTracedClient();
    const key = randomUUID();
    const path = `/v1/public/surveys/${survey.id}/responses`;
    const body = { status: 'completed', data: lunchAnswers };
    const headers = { ...client.headers, 'idempotency-key': key, 'user-agent': 'secret' };
    expect((await createApi()('POST', path, { body, headers })).status).toBe(201);
    const arrived = await poll(() => receiver.received[0]);
    const spans = await client.spans(...definition, ...delivery);

    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans[0]?.traceId).not.toBe(client.traceId);
    expect(pathOf(delivery[0], spans)).toEqual(delivery);
    expect(pathOf(definition[0], spans)).toEqual(definition);
    const inMongo = spans.filter(({ attributes }) => attributes['db.system.name'] === 'mongodb');
    expect(inMongo.map(({ service }) => service)).toEqual(expect.arrayContaining(['response', 'survey']));
    expect(spans.filter(({ failed }) => failed)).toEqual([]);

    for (const [label, attributes] of Object.entries(ATTRIBUTES)) {
      const span = spans.find((candidate) => labelOf(candidate) === label);
      expect([label, span?.attributes]).toEqual([label, attributes]);
    }
    for (const { resource, schemaUrls } of spans) {
      expect(Object.keys(resource).sort()).toEqual(RESOURCE);
      expect(schemaUrls[0]).toBe('https://opentelemetry.io/schemas/1.44.0');
    }

    expect(arrived.headers).not.toHaveProperty('traceparent');
    const reported = spans.map(({ raw }) => raw).join('\n');
    for (const secret of ['secret', key, 'Zoë', '/hook', survey.id, tenantId]) expect(reported).not.toContain(secret);
  });
});

describe('a rejected request', () => {
  it('has a trace, whose id is in the log', async () => {
    const client = createTracedClient();
    const rejected = await createApi('no.real.token')('GET', '/v1/surveys?cursor=secret', { headers: client.headers });
    expect(rejected.status).toBe(401);
    const [span] = await client.spans('gateway server GET /v1/surveys');
    expect(span).toMatchObject({
      service: 'gateway',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/surveys',
        'http.response.status_code': 401,
      },
      failed: false,
    });
    expect(span?.raw).not.toContain('secret');
    const log = await readFile(join(toPaths(inject('stackFolder')).logs, 'gateway.log'), 'utf8');
    const line = log.split('\n').find((candidate) => candidate.includes(rejected.body.request_id));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      msg: 'token rejected',
      trace_id: span?.traceId,
      span_id: span?.spanId,
    });
  });
});

describe('a request of an operator', () => {
  it('is not traced', async () => {
    const probe = createTracedClient();
    for (const path of ['/health', '/metrics', '/docs', '/openapi.json']) {
      await createApi()('GET', path, { headers: probe.headers });
    }
    const later = createTracedClient();
    await createApi()('GET', '/v1/nothing', { headers: later.headers });
    await later.spans('gateway server GET unknown');
    expect(await fetchSpans(inject('collector'), probe.traceId)).toEqual([]);
  });
});
