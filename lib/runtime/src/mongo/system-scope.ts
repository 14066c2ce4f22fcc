import type { Collection, Document } from 'mongodb';

/**
 * A collection across all tenants, under a name that can be searched for. Only relays, sweepers, key rotation and the
 * public look-up of a survey or link, from which the tenant follows, may import this; the linter holds everybody else
 * to `tenantCollection`.
 */
export function systemScope<D extends Document>(collection: Collection<D>): Collection<D> {
  return collection;
}
