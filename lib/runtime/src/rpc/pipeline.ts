import type { DescMethod } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { Caller } from '../auth/caller.ts';
import type { TokenVerifier } from '../auth/internal-token.ts';
import { AppError } from '../errors/app-error.ts';
import { errorCodes } from '../errors/error-codes.ts';
import { rpcStatusOf } from '../errors/error-mapping.ts';
import { toDatabaseAppError } from '../mongo/mongo-errors.ts';
import { startServerSpan } from '../telemetry/spans.ts';
import { accessOf } from './access.ts';
import { type AdmittedCall, callerDenied, checkPermission } from './call-context.ts';
import { headerNames, requestIdOf } from './headers.ts';

export type CallProtocol = 'rest' | 'grpc';

/** Admits every call: `log + metrics + trace → authenticate → authorize → handler → error mapping`. */
export interface Pipeline {
  /** Authorizes a call, and passes it to `handle`. All errors are logged, and thrown again as `AppError`. */
  run<T>(
    protocol: CallProtocol,
    method: DescMethod,
    header: HeaderReader,
    handle: (call: AdmittedCall) => Promise<T>,
  ): Promise<T>;
}

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

/** Reads one header of a call; null or undefined if it is absent. */
export type HeaderReader = (name: string) => string | null | undefined;

export function createPipeline(deps: { verifier: TokenVerifier; log: Logger; registry: Registry }): Pipeline {
  const { verifier, log, registry } = deps;
  const duration = new Histogram({
    name: 'rpc_server_duration_seconds',
    help: 'Time from the arrival of a call to its result.',
    labelNames: ['binding', 'method', 'code'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    aggregator: 'sum',
    registers: [registry],
  });

  return {
    async run(protocol, method, header, handle) {
      const name = `${method.parent.typeName}/${method.name}`;
      const traceparent = header(headerNames.traceparent) ?? '';
      const attributes = { 'rpc.system.name': protocol, 'rpc.method': name };
      const span = startServerSpan({ name, traceparent, attributes });
      // Dashboards of operators use the label name `binding`.
      const stop = duration.startTimer({ binding: protocol, method: name });
      const requestId = requestIdOf(header(headerNames.requestId));
      const callLog = createCallLog(log, { request_id: requestId, method: name });
      return span.run(async () => {
        try {
          // Public operations also need the internal token of the calling process.
          const token = BEARER.exec(header('authorization') ?? '')?.[1];
          if (token === undefined) throw new AppError('INVALID_TOKEN');
          const caller = await verifier.verify(token);
          if (caller.tenantId !== undefined) callLog.add({ tenant_id: caller.tenantId });
          authorize(protocol, method, caller);
          const call: AdmittedCall = {
            method,
            caller,
            requestId,
            clientAddress: header(headerNames.clientAddress) ?? '',
            traceparent: span.traceparent ?? traceparent,
            log: callLog.get,
          };
          const result = await handle(call);
          const seconds = stop({ code: 'OK' });
          if (log.isLevelEnabled('debug')) callLog.get().debug({ duration_ms: seconds * 1000 }, 'call done');
          span.end({ attributes: { 'rpc.response.status_code': rpcStatusOf(undefined) } });
          return result;
        } catch (thrown) {
          const error = toDatabaseAppError(thrown);
          const seconds = stop({ code: errorCodes[error.code].grpcCode });
          logFailure(callLog.get(), error, seconds * 1000);
          // Errors of the caller do not mark the span as failed.
          const status = { 'rpc.response.status_code': rpcStatusOf(error.code) };
          span.end(
            error.status < 500
              ? { attributes: { ...status, 'error.type': error.code } }
              : { attributes: status, error: error.code },
          );
          throw error;
        }
      });
    },
  };
}

/** A logger with the fields that are known so far, created on first use. */
function createCallLog(log: Logger, known: Readonly<Record<string, string>>) {
  let fields = known;
  let logger: Logger | undefined;
  return {
    add(more: Readonly<Record<string, string>>): void {
      fields = { ...fields, ...more };
      logger = undefined;
    },
    get(): Logger {
      logger ??= log.child(fields);
      return logger;
    },
  };
}

function authorize(protocol: CallProtocol, method: DescMethod, caller: Caller): void {
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
      if (protocol !== 'grpc') throw new AppError('ROUTE_NOT_FOUND');
      if (!access.callers.has(caller.service)) throw callerDenied(method, caller);
      return;
    case 'public':
      return;
  }
}

function logFailure(log: Logger, error: AppError, durationMs: number): void {
  const fields = { error_code: error.code, duration_ms: durationMs };
  if (error.status < 500) log.debug({ ...fields, err: error.cause }, 'call rejected');
  else
    log.error(
      { ...fields, err: error.cause ?? error, grpc_code: Code[errorCodes[error.code].grpcCode] },
      'call failed',
    );
}
