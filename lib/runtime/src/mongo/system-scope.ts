import type { Collection, Document } from 'mongodb';

/**
 * A collection without the tenant filter, under a name that is easy to search for. Only work for all tenants (relays,
 * sweepers, key rotation, lists for operators) and lookups that determine the tenant (public surveys, links, API keys)
 * may import this. The linter requires `tenantCollection` in other code.
 */
export function systemScope<D extends Document>(collection: Collection<D>): Collection<D> {
  return collection;
}
