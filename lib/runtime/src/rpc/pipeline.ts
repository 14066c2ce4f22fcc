import type { DescField, DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf';
import { createValidator, type Violation } from '@bufbuild/protovalidate';
import { Code } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { Caller } from '../auth/caller.ts';
import type { TokenVerifier } from '../auth/internal-token.ts';
import { AppError, type FieldProblem, MAX_FIELD_PROBLEMS } from '../errors/app-error.ts';
import { reasons } from '../errors/reasons.ts';
import { toPointerToken } from '../json/pointer.ts';
import { toServiceError } from '../mongo/mongo-errors.ts';
import { startServerSpan } from '../telemetry/spans.ts';
import { accessOf } from './access.ts';
import { type AdmittedCall, checkPermission } from './call-context.ts';
import { headers, requestIdOf } from './headers.ts';
import { isAsked } from './update-mask.ts';

/** How the call came in. */
export type Binding = 'rest' | 'grpc';

/**
 * What every call passes, whichever way it comes in: `log + metrics + trace → authenticate → authorize → validate →
 * handler → error mapping`.
 */
export interface Pipeline {
  /**
   * Runs one call. `run` gets the authenticated and authorized call; what it throws is mapped, logged
   * and thrown again as an `AppError`.
   */
  run<T>(
    binding: Binding,
    method: DescMethod,
    header: HeaderReader,
    run: (call: AdmittedCall) => Promise<T>,
  ): Promise<T>;
  /** Throws `VALIDATION_FAILED` with every field that breaks a `buf.validate` rule; see `isAsked` for patches. */
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
      const traceparent = header(headers.traceparent) ?? '';
      const attributes = { 'rpc.system.name': binding, 'rpc.method': name };
      const span = startServerSpan({ name, traceparent, attributes });
      const stop = duration.startTimer({ binding, method: name });
      const requestId = requestIdOf(header(headers.requestId));
      let callLog = log.child({ request_id: requestId, method: name });
      return span.run(async () => {
        try {
          const caller = await authenticate(header);
          if (caller.tenantId !== undefined) callLog = callLog.child({ tenant_id: caller.tenantId });
          authorize(binding, method, caller);
          const call: AdmittedCall = {
            method,
            caller,
            requestId,
            clientAddress: header(headers.clientAddress) ?? '',
            traceparent: span.traceparent ?? traceparent,
            log: callLog,
          };
          const result = await run(call);
          const seconds = stop({ code: 'OK' });
          callLog.debug({ duration_ms: seconds * 1000 }, 'call done');
          span.end();
          return result;
        } catch (thrown) {
          const error = toServiceError(thrown);
          const seconds = stop({ code: reasons[error.reason].code });
          logFailure(callLog, error, seconds * 1000);
          // What the caller did wrong is no failure of the call.
          span.end(error.status < 500 ? { attributes: { 'error.type': error.reason } } : { error: error.reason });
          throw error;
        }
      });
    },

    validate(schema, message) {
      const result = validator.validate(schema, message);
      if (result.kind === 'valid') return;
      if (result.kind === 'error') throw result.error;
      const violations = result.violations.filter(({ field }) => isAsked(schema, message, fieldsOf(field)));
      if (violations.length === 0) return;
      const errors = violations.slice(0, MAX_FIELD_PROBLEMS).map(toProblem);
      throw new AppError('VALIDATION_FAILED', { errors });
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

/** The fields that lead to the one at fault, or to the list or map that holds it. */
function fieldsOf(path: Violation['field']): readonly DescField[] {
  const end = path.findIndex(({ kind }) => kind !== 'field');
  return path.slice(0, end < 0 ? path.length : end).filter((part) => part.kind === 'field');
}

function toProblem(violation: Violation): FieldProblem {
  let path = '';
  for (const part of violation.field) {
    if (part.kind === 'field') path += toPointerToken(part.name);
    else if (part.kind === 'list_sub') path += toPointerToken(part.index);
    else if (part.kind === 'map_sub') path += toPointerToken(String(part.key));
  }
  return { path, code: violation.ruleId.replaceAll('.', '_').toUpperCase() || 'INVALID', detail: violation.message };
}
