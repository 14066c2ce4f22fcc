import { describe, expect, it } from 'vitest';
import { createResponseIds } from './batches.ts';

const base = { tenantId: 't', surveyId: 's', preserve: true, newIdAt: (index: number) => `new ${index}` };
const inFile = (id: string, externalId?: string) => ({ index: 3, id, externalId });
const uuid = '0198C0DE-0000-7000-8000-000000000001';

describe('the ids of imported responses', () => {
  it('are derived from the id in the file, the tenant and the survey', () => {
    const { id, externalId } = createResponseIds(base)(inFile('a-1'));
    expect(externalId).toBe('a-1');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(createResponseIds(base)(inFile('a-1')).id).toBe(id);
    for (const other of [
      { ...base, tenantId: 'u' },
      { ...base, surveyId: 'z' },
    ]) {
      expect(createResponseIds(other)(inFile('a-1')).id).not.toBe(id);
    }
  });

  it('stay if they are UUIDs', () => {
    expect(createResponseIds(base)(inFile(uuid))).toEqual({ id: uuid.toLowerCase(), externalId: undefined });
  });

  it('are new if the file has none, or ids are not preserved', () => {
    expect(createResponseIds(base)(inFile(''))).toEqual({ id: 'new 3', externalId: undefined });
    expect(createResponseIds({ ...base, preserve: false })(inFile(uuid))).toEqual({
      id: 'new 3',
      externalId: uuid,
    });
  });

  it('keep the external_id of the file', () => {
    const externalId = 'x';
    const idOf = createResponseIds(base);
    expect(idOf(inFile(uuid, 'x'))).toEqual({ id: uuid.toLowerCase(), externalId });
    expect(idOf(inFile('', 'x'))).toEqual({ id: 'new 3', externalId });
    expect(createResponseIds({ ...base, preserve: false })(inFile(uuid, 'x'))).toEqual({
      id: 'new 3',
      externalId,
    });
  });
});
