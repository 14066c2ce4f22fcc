import { setImmediate } from 'node:timers/promises';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { expect, it } from 'vitest';
import { createSlowReads } from '../responses/response-service.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createExportService } from './export-service.ts';

it('counts no further responses of versions without a question after the time limit', async () => {
  const survey = newDefinition([{ id: 'q', type: 'text' }]);
  const gate = Promise.withResolvers<void>();
  const counted: unknown[] = [];
  const conditions = { digest: '', lacksQuestion: async () => true, test: async () => [] };
  const exports = createExportService({
    definitions: {
      findOwned: async () => survey,
      findAnsweredVersion: async () => survey,
      findPublishedVersions: async () => [],
    },
    stream: { findVersions: async () => [1, 2, 3], async *read() {} },
    responseService: {
      async count(_tenantId, { surveyVersion }) {
        counted.push(surveyVersion);
        await gate.promise;
        return { count: 1, lackingQuestion: undefined };
      },
      findLastCount: () => undefined,
    },
    conditions: { resolve: async () => ({ filter: { surveyId: 's1' }, conditions }), async *read() {} },
    async *read() {},
    slowReads: createSlowReads(),
    sealer: { openAsText: async () => [] },
    clock: () => new Date(),
    countMs: 1,
  });
  const query = {
    selection: { surveyId: 's1', where: { conditions: [] } },
    format: 'ndjson',
    maskFormulas: true,
  } as const;
  const { lackingQuestion } = await exports.open(toTenantId('t1'), query as never, new AbortController().signal);
  gate.resolve();
  await setImmediate();
  expect([lackingQuestion, counted]).toEqual([undefined, [1]]);
});
