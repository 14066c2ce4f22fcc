import type { DescMethod } from '@bufbuild/protobuf';
import { createContextValues, createHandlerContext, type HandlerContext } from '@connectrpc/connect';
import { toTenantId } from '../../auth/tenant-id.ts';
import { callContextKey } from '../../rpc/call-context.ts';
import { testLog } from '../test-log.ts';

interface TestCall {
  readonly tenantId?: string;
  readonly user?: string;
  readonly permissions?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export function createTestContext(
  method: DescMethod,
  { tenantId = 't1', user = 'user-1', permissions = [], headers = {} }: TestCall = {},
): HandlerContext {
  const caller = {
    service: 'gateway',
    tenantId: toTenantId(tenantId),
    subject: user,
    permissions: new Set(permissions),
  };
  const call = { method, caller, requestId: 'r-1', clientAddress: '', traceparent: '', log: () => testLog };
  return createHandlerContext({
    service: method.parent,
    method,
    protocolName: 'rest',
    requestMethod: 'POST',
    url: 'http://service/',
    requestHeader: new Headers(headers),
    contextValues: createContextValues().set(callContextKey, call),
  });
}
