import type { DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf';
import { createValidator, type Violation } from '@bufbuild/protovalidate';
import { Code } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { Caller } from '../auth/caller.ts';
import type { TokenVerifier } from '../auth/internal-token.ts';
import { AppError, type FieldProblem } from '../errors/app-error.ts';
import { toAppError } from '../errors/error-mapping.ts';
import { reasons } from '../errors/reasons.ts';
import { accessOf } from './access.ts';
import { type CallContext, checkPermission } from './call-context.ts';
import { headers, requestIdOf } from './headers.ts';

/** How the call came in. */
export type Binding = 'rest' | 'grpc';

/**
 * What every call passes, whichever way it comes in: `log + metrics → authenticate → authorize → validate → handler →
 * error mapping`.
 */
export interface Pipeline {
  /**
   * Runs one call. `run` gets the context of an authenticated and authorized call; what it throws is mapped, logged
   * and thrown again as an `AppError`.
   */
  run<T>(
    binding: Binding,
    method: DescMethod,
    header: HeaderReader,
    run: (call: CallContext) => Promise<T>,
  ): Promise<T>;
  /** Throws `VALIDATION_FAILED` with every field that breaks a `buf.validate` rule. */
  validate<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): void;
}

/** Reads one header of a call; null or undefined when it is absent. */
export type HeaderReader = (name: string) => string | null | undefined;

export function createPipeline(deps: { verifier: TokenVerifier; log: Logger; registry: Registry }): Pipeline {
  const { verifier, log, registry } = deps;
  const validator = createValidator();
  const duration = new Histogram({
    name: 'rpc_server_duration_seconds',
    help: 'Time from the arrival of a call to its result.',
    labelNames: ['binding', 'method', 'code'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    aggregator: 'sum',
    registers: [registry],
  });

  async function authenticate(header: HeaderReader): Promise<Caller> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(header('authorization') ?? '')?.[1];
    if (token === undefined) throw new AppError('INVALID_TOKEN');
    return verifier.verify(token);
  }

  return {
    async run(binding, method, header, run) {
      const name = `${method.parent.typeName}/${method.name}`;
      const stop = duration.startTimer({ binding, method: name });
      const requestId = requestIdOf(header(headers.requestId));
      const callLog = log.child({ request_id: requestId, method: name });
      try {
        const caller = await authenticate(header);
        authorize(binding, method, caller);
        const call: CallContext = {
          method,
          caller,
          requestId,
          clientAddress: header(headers.clientAddress) ?? '',
          traceparent: header(headers.traceparent) ?? '',
          log: caller.tenantId === undefined ? callLog : callLog.child({ tenant_id: caller.tenantId }),
        };
        const result = await run(call);
        const seconds = stop({ code: 'OK' });
        call.log.debug({ duration_ms: seconds * 1000 }, 'call done');
        return result;
      } catch (thrown) {
        const error = toAppError(thrown);
        const seconds = stop({ code: reasons[error.reason].code });
        logFailure(callLog, error, seconds * 1000);
        throw error;
      }
    },

    validate(schema, message) {
      const result = validator.validate(schema, message);
      if (result.kind === 'valid') return;
      if (result.kind === 'error') throw result.error;
      throw new AppError('VALIDATION_FAILED', { errors: result.violations.map(toProblem) });
    },
  };
}

function authorize(binding: Binding, method: DescMethod, caller: Caller): void {
  const access = accessOf(method);
  switch (access.kind) {
    case 'permission':
      if (caller.tenantId === undefined || caller.subject === undefined) throw new AppError('INVALID_TOKEN');
      checkPermission(caller, access.permission);
      return;
    case 'authenticated':
      if (caller.tenantId === undefined || caller.subject === undefined) throw new AppError('INVALID_TOKEN');
      return;
    case 'internal':
      if (binding !== 'grpc') throw new AppError('ROUTE_NOT_FOUND');
      return;
    case 'public':
      return;
  }
}

function logFailure(log: Logger, error: AppError, durationMs: number): void {
  const fields = { reason: error.reason, duration_ms: durationMs };
  if (error.status < 500) log.debug({ ...fields, err: error.cause }, 'call refused');
  else log.error({ ...fields, err: error.cause ?? error, code: Code[reasons[error.reason].code] }, 'call failed');
}

function toProblem(violation: Violation): FieldProblem {
  let path = '';
  for (const part of violation.field) {
    if (part.kind === 'field') path += `/${part.name}`;
    else if (part.kind === 'list_sub') path += `/${part.index}`;
    else if (part.kind === 'map_sub') path += `/${String(part.key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return { path, code: violation.ruleId.replaceAll('.', '_').toUpperCase() || 'INVALID', detail: violation.message };
}
