import { readText, readTime, removeUndefined } from '../ui/search-values.ts';

/** Filters of the audit log, as in the address of the page. */
export interface AuditSearch {
  readonly actor?: string;
  readonly action?: string;
  readonly resource_type?: string;
  readonly resource_id?: string;
  readonly since?: string;
  readonly until?: string;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return removeUndefined({
    actor: readText(search.actor),
    action: readText(search.action),
    resource_type: readText(search.resource_type),
    resource_id: readText(search.resource_id),
    since: readTime(search.since),
    until: readTime(search.until),
  });
}
