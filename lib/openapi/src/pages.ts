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
    description: 'Health of the platform.',
    required: ['status', 'checks'],
    properties: {
      status: { type: 'string', enum: ['healthy', 'unhealthy'], description: '`healthy` if all checks are true.' },
      checks: {
        type: 'object',
        description: 'Dependencies of all services.',
        required: ['database', 'queue'],
        properties: {
          database: check('Whether every service reaches its database.'),
          queue: check('Whether every service reaches Kafka.'),
        },
      },
    },
  },
};

export const pageTag = { name: TAG, description: 'Health and metrics of the platform.' };

/** Pages of the gateway itself that programs read. They stand outside of `/v1`, and of the contract of the services. */
export function describePages(failures: Failures): Readonly<Record<string, Json>> {
  const healthPage = {
    operationId: 'getHealth',
    tags: [TAG],
    summary: 'Returns the health of the platform',
    description:
      'Returns the health of the platform. A check is false if any service reports so, or does not reply within two ' +
      'seconds. The result is at most a second old. No token is needed.',
    security: [],
    responses: {
      '200': { description: 'Healthy.', headers: REQUEST_ID, content: health('healthy', true) },
      ...failures.answersFor(['INVALID_REQUEST', 'INTERNAL']),
      '503': { description: 'A check is false.', headers: REQUEST_ID, content: health('unhealthy', false) },
    },
  };
  const metricsPage = {
    operationId: 'getMetrics',
    tags: [TAG],
    summary: 'Returns the metrics of the platform',
    description:
      'Returns the metrics of the platform in the Prometheus text format, summed over all running processes. The ' +
      'operator may require a token, `Authorization: Bearer …`, which is not a token of the API.',
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
