import { IdentityService } from '@survey/proto/survey/identity/v1/identity_service_pb';
import { describe, expect, it } from 'vitest';
import { implement } from './implementation.ts';

const getTenant = () => ({ tenant: { id: 't' } });
const tenantHandlers = { getTenant, updateTenant: getTenant, getTenantUsage: () => ({}) };

describe('implement', () => {
  it('separates raw handlers, and rejects their operations over gRPC', () => {
    const getMe = async () => ({ me: { userId: 'u' } });
    const { handlers, rawHandlers } = implement(IdentityService, tenantHandlers, { getMe });
    expect([handlers['getTenant'], rawHandlers]).toEqual([getTenant, { getMe }]);
    expect(handlers['getMe']).toThrow(expect.objectContaining({ code: 'ROUTE_NOT_FOUND' }));
  });

  it('does not need raw handlers', () => {
    const getMe = () => ({});
    expect(implement(IdentityService, { ...tenantHandlers, getMe })).toEqual({
      service: IdentityService,
      handlers: { ...tenantHandlers, getMe },
    });
  });

  it('does not compile without a handler, or with one of another type', () => {
    // @ts-expect-error getMe is missing
    implement(IdentityService, tenantHandlers);
    // @ts-expect-error a raw handler gives its own message, or nothing
    implement(IdentityService, tenantHandlers, { getMe: async () => ({ tenant: {} }) });
  });
});
