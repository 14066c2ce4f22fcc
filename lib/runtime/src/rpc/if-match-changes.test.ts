import { describe, expect, it } from 'vitest';
import { changeLatest, changesNothing } from './if-match.ts';

/** A record that others change just before each of the first writes. */
function changedByOthers(times: number) {
  let revision = 1;
  let left = times;
  return {
    read: async () => ({ revision }),
    write: async (before: { readonly revision: number }) => {
      if (left > 0) {
        left -= 1;
        revision += 1;
      }
      if (before.revision !== revision) return undefined;
      revision += 1;
      return revision;
    },
  };
}

const only = (revision: number) => ({ includes: (given: number) => given === revision });

describe('a change of a record', () => {
  it('is written if the revision matches', async () => {
    expect(await changeLatest({ ifMatch: only(1) }, changedByOthers(0))).toBe(2);
  });

  it('is rejected if the record has another revision, and nothing is written', async () => {
    const record = changedByOthers(0);
    await expect(changeLatest({ ifMatch: only(2) }, record)).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
    expect(await record.read()).toEqual({ revision: 1 });
  });

  it('is rejected after a concurrent change if the caller names a revision', async () => {
    const change = changeLatest({ ifMatch: only(1) }, changedByOthers(1));
    await expect(change).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  });

  it('is retried after a concurrent change if the caller names none', async () => {
    expect(await changeLatest({}, changedByOthers(9))).toBe(11);
  });

  it('fails after ten concurrent changes', async () => {
    const change = changeLatest({}, changedByOthers(10));
    await expect(change).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
  });

  it('that the same call made before is returned, for any revision', async () => {
    const change = { ...changedByOthers(0), findApplied: async () => 7 };
    expect(await changeLatest({ ifMatch: only(5) }, change)).toBe(7);
    const another = { ...changedByOthers(0), findApplied: async () => undefined };
    await expect(changeLatest({ ifMatch: only(5) }, another)).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  });

  it('fails with the error of reading', async () => {
    const gone = { read: () => Promise.reject(new Error('gone')), write: async () => 1 };
    await expect(changeLatest({}, gone)).rejects.toThrow('gone');
  });
});

describe('changesNothing', () => {
  const record = { name: 'a', ends: new Date(0) as Date | undefined, tags: ['x', 'y'] };

  it.each([{}, { name: 'a' }, { ends: new Date(0) }, { tags: ['x', 'y'] }])(
    'is true for existing values: %j',
    (change) => {
      expect(changesNothing(record, change)).toBe(true);
    },
  );

  it.each([{ name: 'b' }, { ends: new Date(1) }, { ends: undefined }, { tags: ['x'] }, { name: 'a', tags: [] }])(
    'is not so for anything else: %j',
    (change) => {
      expect(changesNothing(record, change)).toBe(false);
    },
  );
});
