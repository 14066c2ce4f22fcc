import { IdentityService } from '@survey/proto/survey/identity/v1/identity_service_pb';
import { describe, expect, it } from 'vitest';
import { implement } from './implementation.ts';

const getTenant = () => ({ tenant: { id: 't' } });
const tenantHandlers = { getTenant, updateTenant: getTenant };

describe('implement', () => {
  it('keeps raw handlers apart, and refuses their operations elsewhere', () => {
    const getMe = async () => ({ me: { userId: 'u' } });
    const { handlers, rawHandlers } = implement(IdentityService, tenantHandlers, { getMe });
    expect([handlers['getTenant'], rawHandlers]).toEqual([getTenant, { getMe }]);
    expect(handlers['getMe']).toThrow(expect.objectContaining({ reason: 'ROUTE_NOT_FOUND' }));
  });

  it('does without raw handlers where there are none', () => {
    const getMe = () => ({});
    expect(implement(IdentityService, { ...tenantHandlers, getMe })).toEqual({
      service: IdentityService,
      handlers: { ...tenantHandlers, getMe },
    });
  });

  it('is refused by the compiler without a handler, or with one that answers something else', () => {
    // @ts-expect-error getMe is missing
    implement(IdentityService, tenantHandlers);
    // @ts-expect-error a raw handler gives its own message, or nothing
    implement(IdentityService, tenantHandlers, { getMe: async () => ({ tenant: {} }) });
  });
});
