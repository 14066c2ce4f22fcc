import type { Failures } from './failures.ts';

type Json = Record<string, unknown>;

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } as const;
const TAG = 'Platform';

const check = (description: string) => ({ type: 'boolean', description });
const health = (status: string, queue: boolean) => ({
  'application/json': {
    schema: { $ref: '#/components/schemas/Health' },
    example: { status, checks: { database: true, queue } },
  },
});

/** Schemas of what the pages show, by name. */
export const pageSchemas = {
  Health: {
    type: 'object',
    description: 'How the platform is.',
    required: ['status', 'checks'],
    properties: {
      status: { type: 'string', enum: ['healthy', 'unhealthy'], description: 'Whether all checks are well.' },
      checks: {
        type: 'object',
        description: 'What all services together depend on.',
        required: ['database', 'queue'],
        properties: {
          database: check('Whether every service reaches its database.'),
          queue: check('Whether every service reaches the queue of events.'),
        },
      },
    },
  },
};

export const pageTag = { name: TAG, description: 'How the platform is, for those who watch it.' };

/** Pages of the gateway itself that programs read. They stand outside of `/v1`, and of the contract of the services. */
export function describePages(failures: Failures): Readonly<Record<string, Json>> {
  const healthPage = {
    operationId: 'getHealth',
    tags: [TAG],
    summary: 'Tells how the platform is',
    description:
      'Tells how the platform is: a check is false when any service says so, or does not answer within two seconds. ' +
      'It is at most a second old. Nobody is asked for a token.',
    security: [],
    responses: {
      '200': { description: 'All is well.', headers: REQUEST_ID, content: health('healthy', true) },
      ...failures.answersFor(['INVALID_REQUEST', 'INTERNAL']),
      '503': { description: 'A check has failed.', headers: REQUEST_ID, content: health('unhealthy', false) },
    },
  };
  const metricsPage = {
    operationId: 'getMetrics',
    tags: [TAG],
    summary: 'Shows what the platform does',
    description:
      'Shows what the platform does, in the text format of Prometheus: the metrics of all processes that are alive, ' +
      'summed up. Operators may ask for a token of their own, `Authorization: Bearer …`, which is none of the API.',
    security: [],
    responses: {
      '200': {
        description: 'The metrics.',
        headers: REQUEST_ID,
        content: {
          'text/plain': {
            schema: { type: 'string' },
            example:
              '# HELP survey_responses_total Responses that were accepted.\n' +
              '# TYPE survey_responses_total counter\nsurvey_responses_total 42\n',
          },
        },
      },
      ...failures.answersFor(['INVALID_REQUEST', 'INVALID_TOKEN', 'TOO_MANY_REQUESTS', 'INTERNAL']),
    },
  };
  return { '/health': { get: healthPage }, '/metrics': { get: metricsPage } };
}
