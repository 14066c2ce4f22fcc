import { describe, expect, it } from 'vitest';
import { createResponseIds } from './response-ids.ts';

const base = { tenantId: 't', surveyId: 's', preserve: true, newId: () => 'new' };
const uuid = '0198C0DE-0000-7000-8000-000000000001';

describe('the ids of imported responses', () => {
  it('follow from the id in the file, for this tenant and survey alone', () => {
    const { id, externalId } = createResponseIds(base)('a-1');
    expect(externalId).toBe('a-1');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(createResponseIds(base)('a-1').id).toBe(id);
    for (const other of [
      { ...base, tenantId: 'u' },
      { ...base, surveyId: 'z' },
    ]) {
      expect(createResponseIds(other)('a-1').id).not.toBe(id);
    }
  });

  it('stay when they are UUIDs', () => {
    expect(createResponseIds(base)(uuid)).toEqual({ id: uuid.toLowerCase(), externalId: undefined });
  });

  it('are new when the file has none, or they shall not stay', () => {
    expect(createResponseIds(base)('')).toEqual({ id: 'new', externalId: undefined });
    expect(createResponseIds({ ...base, preserve: false })(uuid)).toEqual({ id: 'new', externalId: uuid });
  });
});
