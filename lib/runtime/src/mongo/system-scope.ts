import type { Collection, Document } from 'mongodb';

/**
 * A collection across all tenants, under a name that can be searched for. Only relays, sweepers, key rotation and the
 * look-up of a public survey or link or of an API key, from which the tenant follows, may import this; the linter holds
 * everybody else to `tenantCollection`.
 */
export function systemScope<D extends Document>(collection: Collection<D>): Collection<D> {
  return collection;
}
