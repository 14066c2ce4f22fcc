import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { newDefinition } from '../testing/test-definition.ts';
import { createConditionService, selectResponses, type Tested } from './condition-service.ts';

const survey = newDefinition([{ id: 'q', type: 'text', title: 'Q' }]);
const where = { conditions: [{ source_question: 'q', operator: 'equals', value: 'yes' }] };
const responses: readonly Tested[] = ['yes', 'no', 'yes'].map((q) => ({
  surveyVersion: survey.version,
  data: { q },
  metadata: undefined,
  externalId: undefined,
  language: undefined,
  linkId: undefined,
  startedAt: undefined,
  completedAt: undefined,
}));

/** Each look at the clock takes a millisecond. */
async function start(tenant = 'tenant') {
  let nowMs = 0;
  const service = createConditionService({
    definitions: { findAnsweredVersion: async () => survey, findPublishedVersions: async () => [survey.version] },
    async *read() {},
    findExternalId: async () => ({ tag: 'tag' }),
    now: () => (nowMs += 1),
  });
  const selection = { surveyId: survey.surveyId, where };
  const { conditions } = await service.resolve({ ...survey, tenantId: toTenantId(tenant) }, selection);
  if (conditions === undefined) throw new Error('there are no conditions');
  return { conditions, now: () => nowMs };
}

const matches = (outcomes: readonly { readonly isMatch: boolean }[]) => outcomes.map(({ isMatch }) => isMatch);

describe('conditions', () => {
  it('have an outcome for each response', async () => {
    const { conditions } = await start();
    expect(matches(await conditions.test(responses))).toEqual([true, false, true]);
    expect(await conditions.test([])).toEqual([]);
  });

  it('test at least one response, and none after the deadline', async () => {
    const { conditions } = await start();
    const many = Array.from({ length: 100 }, () => responses).flat();
    expect(await conditions.test(many, 0)).not.toHaveLength(0);
    expect((await conditions.test(many, 0)).length).toBeLessThan(many.length);
  });

  it('let other work run during a long test', async () => {
    const { conditions } = await start();
    const many = Array.from({ length: 1_000 }, () => responses).flat();
    let immediates = 0;
    const immediate = (): void => {
      immediates += 1;
      next = setImmediate(immediate);
    };
    let next = setImmediate(immediate);
    await conditions.test(many);
    clearImmediate(next);
    expect(immediates).toBeGreaterThan(50);
  });

  it('read each definition once', async () => {
    let reads = 0;
    const definition = Object.defineProperty({ ...survey.definition }, 'pages', {
      enumerable: true,
      get: () => {
        reads += 1;
        return survey.definition['pages'];
      },
    });
    const service = createConditionService({
      definitions: {
        findAnsweredVersion: async () => ({ ...survey, definition }),
        findPublishedVersions: async () => [survey.version],
      },
      async *read() {},
      findExternalId: async () => ({ tag: 'tag' }),
      now: () => 0,
    });
    const selection = { surveyId: survey.surveyId, where };
    const lacks = async () =>
      (await service.resolve({ ...survey, definition }, selection)).conditions?.lacksQuestion(1);
    expect(await lacks()).toBe(false);
    const before = reads;
    expect([await lacks(), before > 0, reads]).toEqual([false, true, before]);
  });

  it('have a digest that does not reveal values', async () => {
    const { conditions } = await start();
    expect(conditions.digest).toMatch(/^[\w-]{43}$/);
  });

  it('end a stream whose reader has left, also without matches', async () => {
    const { conditions } = await start();
    const abort = new AbortController();
    let read = 0;
    async function* endless(): AsyncGenerator<readonly Tested[]> {
      for (;;) {
        read += 1;
        if (read === 3) abort.abort(new Error('the client left'));
        yield responses.slice(1, 2);
      }
    }
    const selected = selectResponses(endless(), conditions, (response) => response, abort.signal);
    await expect(Array.fromAsync(selected)).rejects.toThrow('the client left');
    expect(read).toBe(3);
  });
});
