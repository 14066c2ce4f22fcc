import type { paths } from '@survey/proto/openapi';
import createClient, { type Client } from 'openapi-fetch';
import { inject } from 'vitest';
import type {} from './stack.ts';

/** A client with types generated from the API document. */
export function createTypedApi(token?: string): Client<paths> {
  return createClient<paths>({
    baseUrl: inject('stack').gateway,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}
