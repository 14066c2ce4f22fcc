declare const brand: unique symbol;

/**
 * Id of a tenant, from a verified token, or from a record that was looked up for a public request. The brand keeps ids
 * from bodies and headers out of queries.
 */
export type TenantId = string & { readonly [brand]: 'TenantId' };

/** Marks an id as a tenant's. Only for the token verifier, for stores that read records, and for tests. */
export function toTenantId(value: string): TenantId {
  return value as TenantId;
}
