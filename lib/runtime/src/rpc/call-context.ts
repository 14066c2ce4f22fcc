import type { DescMethod } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { Logger } from 'pino';
import type { Caller, ChangeContext } from '../auth/caller.ts';
import { AppError, permissionDenied } from '../errors/app-error.ts';
import { extraPermissionsOf } from './access.ts';

/** A call that the pipeline has admitted. */
export interface AdmittedCall {
  readonly method: DescMethod;
  readonly caller: Caller;
  readonly requestId: string;
  /** Address of the client, as seen by the gateway; empty for calls between services. */
  readonly clientAddress: string;
  /** W3C trace context; empty if the call has none. */
  readonly traceparent: string;
  /** Logger with the request, operation and tenant. Created on first use. */
  readonly log: () => Logger;
}

export interface CallContext extends AdmittedCall {
  /** Aborts when the caller disconnects, the time is over, or the call has ended. */
  readonly signal: () => AbortSignal;
}

/** Context key under which the pipeline stores the call. */
export const callContextKey = createContextKey<AdmittedCall | undefined>(undefined, { description: 'call' });

export function callOf(context: HandlerContext): CallContext {
  const call = context.values.get(callContextKey);
  if (call === undefined) throw new Error(`${context.method.name} runs outside of the pipeline`);
  return { ...call, signal: () => context.signal };
}

export interface TenantCall extends CallContext, ChangeContext {}

/** Returns the context of a call for a tenant. Throws `INVALID_TOKEN` if the token names no tenant. */
export function tenantCallOf(context: HandlerContext): TenantCall {
  const call = callOf(context);
  const { tenantId, subject, service } = call.caller;
  if (tenantId === undefined) throw new AppError('INVALID_TOKEN');
  return { ...call, tenantId, actor: subject ?? service };
}

/** Requires an additional permission, which the operation must declare under `also`. Throws `PERMISSION_DENIED`. */
export function requirePermission(call: AdmittedCall, permission: string): void {
  if (!extraPermissionsOf(call.method).includes(permission)) {
    throw new Error(`${call.method.name} does not name ${permission} under also`);
  }
  checkPermission(call.caller, permission);
}

export function checkPermission(caller: Caller, permission: string): void {
  if (!caller.permissions.has(permission)) throw permissionDenied(permission);
}

/** The error for a process that may not call an internal operation. */
export function callerDenied(method: DescMethod, { service }: Caller): AppError {
  return new AppError('PERMISSION_DENIED', { detail: `${service} may not call ${method.name}` });
}
