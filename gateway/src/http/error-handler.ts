import { toAppError } from '@survey/runtime/errors/error-mapping';
import { sendProblem } from '@survey/runtime/rest/send-problem';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { callOf } from './call.ts';

/** Replies to errors that handlers throw, with a problem body. */
export function createErrorHandler(log: Logger): ErrorRequestHandler {
  return async (thrown, request, response, _next) => {
    const error = toAppError(thrown);
    const { requestId, endpoint, tenantId } = callOf(response);
    const fields = { request_id: requestId, endpoint, tenant_id: tenantId, reason: error.code };
    if (error.status >= 500) log.error({ ...fields, err: error.cause ?? error }, 'request failed');
    else log.debug({ ...fields, err: error.cause }, 'request rejected');
    await sendProblem(error, requestId, request, response);
  };
}
