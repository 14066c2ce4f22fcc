import { randomUUID } from 'node:crypto';

/** Headers of our own, between gateway and services. The gateway takes them off what comes from outside. */
export const headers = {
  requestId: 'x-request-id',
  clientAddress: 'x-survey-client-address',
  /** On answers: the tenant of a public request, for the gateway's metrics. */
  tenant: 'x-survey-tenant',
  traceparent: 'traceparent',
} as const;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's request id when it is a sane one, else a new one. */
export function requestIdOf(value: string | null | undefined): string {
  return value != null && REQUEST_ID.test(value) ? value : randomUUID();
}
