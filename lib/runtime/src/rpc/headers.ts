import { randomUUID } from 'node:crypto';
import type { DescMethod } from '@bufbuild/protobuf';

/** Internal headers between gateway and services. The gateway removes them from requests of clients. */
export const headerNames = {
  requestId: 'x-request-id',
  clientAddress: 'x-survey-client-address',
  /** Header of replies: the tenant of a public request, for metrics of the gateway. */
  tenant: 'x-survey-tenant',
  traceparent: 'traceparent',
} as const;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The request id from the caller if it is valid, or a new one. */
export function requestIdOf(value: string | null | undefined): string {
  return value != null && REQUEST_ID.test(value) ? value : randomUUID();
}

/** The full name of an operation, for messages: `survey.surveys.v1.SurveyService.CreateSurvey`. */
export function operationNameOf(method: DescMethod): string {
  return `${method.parent.typeName}.${method.name}`;
}
