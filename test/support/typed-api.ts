import type { paths } from '@survey/proto/openapi';
import createClient, { type Client } from 'openapi-fetch';
import { inject } from 'vitest';
import type {} from './stack.ts';

/** A client as others make it of the document of the API: paths, parameters, bodies and answers have their types. */
export function createTypedApi(token?: string): Client<paths> {
  return createClient<paths>({
    baseUrl: inject('stack').gateway,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}
