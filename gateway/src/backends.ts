import { type Backend, catalog } from '@survey/proto/catalog';

/** Makes a value for each service in the catalog. */
export function mapBackends<T>(make: (name: Backend) => T): Readonly<Record<Backend, T>> {
  // The keys of the catalog are the names of backends.
  return Object.fromEntries(Object.keys(catalog).map((name) => [name, make(name as Backend)])) as Record<Backend, T>;
}
