import type { DescMethod } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { Logger } from 'pino';
import type { Actor } from '../auth/actor.ts';
import type { Caller } from '../auth/caller.ts';
import { AppError } from '../errors/app-error.ts';
import { alsoOf } from './access.ts';

/** What the pipeline knows about a call that it lets through. */
export interface AdmittedCall {
  readonly method: DescMethod;
  readonly caller: Caller;
  readonly requestId: string;
  /** Address of the client as the gateway saw it, empty on calls between services. */
  readonly clientAddress: string;
  /** W3C trace context, empty when the call came without. */
  readonly traceparent: string;
  /** Names the request, the operation and the tenant in each line. Made when there is a line to write. */
  readonly log: () => Logger;
}

/** How long a call may go on. Calls to other services keep to it; work of its own, once begun, a service finishes. */
export interface CallLimits {
  /** Aborts when the caller has gone, when the time is over, or when the call has been answered. */
  readonly signal: () => AbortSignal;
  /** What is left of its time, in milliseconds; undefined when it has no end. */
  readonly timeLeftMs: () => number | undefined;
}

/** What a handler knows about its call. */
export interface CallContext extends AdmittedCall {
  readonly limits: CallLimits;
}

/** Where the pipeline leaves the call for handlers. */
export const callContextKey = createContextKey<AdmittedCall | undefined>(undefined, { description: 'call' });

/** The context of the running call. */
export function callOf(context: HandlerContext): CallContext {
  const call = context.values.get(callContextKey);
  if (call === undefined) throw new Error(`${context.method.name} runs outside of the pipeline`);
  return { ...call, limits: { signal: () => context.signal, timeLeftMs: context.timeoutMs } };
}

/** A call that is made for a tenant. */
export interface TenantCall extends CallContext, Actor {}

/** The context of a call that has to be for a tenant. Throws `INVALID_TOKEN` when its token names none. */
export function tenantCallOf(context: HandlerContext): TenantCall {
  const call = callOf(context);
  const { tenantId, subject, service } = call.caller;
  if (tenantId === undefined) throw new AppError('INVALID_TOKEN');
  return { ...call, tenantId, actor: subject ?? service };
}

/**
 * Demands a permission that the operation names under `also`, because of what the request asks for. Throws
 * `PERMISSION_DENIED` with the fixed text.
 */
export function requirePermission(call: AdmittedCall, permission: string): void {
  if (!alsoOf(call.method).includes(permission)) {
    throw new Error(`${call.method.name} does not name ${permission} under also`);
  }
  checkPermission(call.caller, permission);
}

/** Throws `PERMISSION_DENIED` with the fixed text unless the caller has the permission. */
export function checkPermission(caller: Caller, permission: string): void {
  if (!caller.permissions.has(permission)) throw permissionDenied(permission);
}

/** The refusal of a process that may not call an internal operation. */
export function callerDenied(method: DescMethod, { service }: Caller): AppError {
  return new AppError('PERMISSION_DENIED', { detail: `${method.name} is not open to ${service}` });
}

/** The refusal of a caller that lacks a permission; its text is fixed. */
export function permissionDenied(permission: string): AppError {
  return new AppError('PERMISSION_DENIED', { detail: `Permission '${permission}' required` });
}
