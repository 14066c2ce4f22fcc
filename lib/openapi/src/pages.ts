import type { Failures } from './failures.ts';
import { REQUEST_ID } from './headers.ts';

type Json = Record<string, unknown>;

const TAG = 'Platform';

const check = (description: string) => ({ type: 'boolean', description });
const health = (status: string, queue: boolean) => ({
  'application/json': {
    schema: { $ref: '#/components/schemas/Health' },
    example: { status, checks: { database: true, queue } },
  },
});

/** Schemas of the pages by name. */
export const gatewayPageSchemas = {
  Health: {
    type: 'object',
    description: 'The health of the platform.',
    required: ['status', 'checks'],
    properties: {
      status: { type: 'string', enum: ['healthy', 'unhealthy'], description: 'Whether all checks pass.' },
      checks: {
        type: 'object',
        description: 'Checks of the dependencies of all services.',
        required: ['database', 'queue'],
        properties: {
          database: check('Whether every service can reach its database.'),
          queue: check('Whether every service can reach the event queue.'),
        },
      },
    },
  },
};

export const pageTag = { name: TAG, description: 'Health and metrics of the platform, for operators.' };

/** Pages of the gateway itself, outside of `/v1` and of the contract. */
export function describeGatewayPages(failures: Failures): Readonly<Record<string, Json>> {
  const healthPage = {
    operationId: 'getHealth',
    tags: [TAG],
    summary: 'Returns the health of the platform',
    description:
      'Returns the health of the platform. A check is false if it fails in any service, or if a service does not reply ' +
      'within two seconds. The result is at most a second old. No token is needed.',
    security: [],
    responses: {
      '200': { description: 'All checks pass.', headers: REQUEST_ID, content: health('healthy', true) },
      ...failures.responsesFor(['INVALID_REQUEST', 'INTERNAL']),
      '503': { description: 'A check fails.', headers: REQUEST_ID, content: health('unhealthy', false) },
    },
  };
  const metricsPage = {
    operationId: 'getMetrics',
    tags: [TAG],
    summary: 'Returns the metrics of the platform',
    description:
      'Returns the metrics of the platform in the text format of Prometheus, summed up over all running processes. ' +
      'Off by default. Operators can require a separate token, `Authorization: Bearer …`, which is not a token of the ' +
      'API, or serve totals without ids of tenants and surveys.',
    security: [],
    responses: {
      '200': {
        description: 'The metrics.',
        headers: REQUEST_ID,
        content: {
          'text/plain': {
            schema: { type: 'string' },
            example:
              '# HELP survey_responses_total Accepted responses.\n' +
              '# TYPE survey_responses_total counter\nsurvey_responses_total 42\n',
          },
        },
      },
      ...failures.responsesFor([
        'INVALID_REQUEST',
        'INVALID_TOKEN',
        'ROUTE_NOT_FOUND',
        'TOO_MANY_REQUESTS',
        'INTERNAL',
      ]),
    },
  };
  return { '/health': { get: healthPage }, '/metrics': { get: metricsPage } };
}
