import { expect, it } from 'vitest';
import { readAuditSearch } from './audit-search.ts';

it('filters of the audit log are read from the address, without invalid ones', () => {
  const valid = {
    actor: 'user-1',
    action: 'survey.published',
    resource_type: 'survey',
    resource_id: 's-1',
    since: '2026-01-31T12:00:00.000Z',
    until: '2026-02-01T12:00:00.000Z',
  };
  expect(readAuditSearch(valid)).toEqual(valid);
  expect(readAuditSearch({ actor: '', action: 5, resource_type: ['a'], since: 'yesterday', other: 'x' })).toEqual({});
});
