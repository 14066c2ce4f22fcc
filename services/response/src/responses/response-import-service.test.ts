import { randomUUID } from 'node:crypto';
import { compile } from '@survey/questionnaire/compile';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { openSettings, testDefinition } from '../testing/test-definition.ts';
import { createResponseImportService } from './response-import-service.ts';

describe('a batch of imported responses', () => {
  it('lets other calls in between, also when nothing of it can be stored', async () => {
    const tenantId = toTenantId('t');
    const [schemaVersion, version, definition] = ['1.0', 1, testDefinition];
    const { validate, ...compiled } = compile({ schema_version: schemaVersion, version, survey: definition });
    let checked = 0;
    const counting = {
      ...compiled,
      validate: (...given: Parameters<typeof validate>) => {
        checked += 1;
        return validate(...given);
      },
    };
    const state = { status: 'closed', settings: openSettings, wasLive: true } as const;
    const snapshot = { surveyId: 's', tenantId, ...state, schemaVersion, version, definition };
    const imports = createResponseImportService({
      definitions: { findOwned: async () => ({ ...snapshot, size: 0, compiled: () => counting }) },
      store: { insertAll: async () => [], findStored: async () => new Set() },
      sealer: { sealerOf: () => Promise.reject(new Error('nothing is to be stored')) },
      count: () => {},
      clock: () => new Date(0),
    });
    const times = { startedAt: undefined, completedAt: undefined };
    const bad = { externalId: undefined, data: {}, ...times, language: undefined, metadata: undefined };
    const batch = Array.from({ length: 1_000 }, () => ({ ...bad, id: randomUUID() }));
    const storing = imports.storeImported({ tenantId, traceparent: '' }, 's', batch);
    const checkedBefore = await new Promise<number>((resolve) => setImmediate(() => resolve(checked)));
    expect(checkedBefore).toBeLessThan(batch.length);
    expect((await storing).filter(({ outcome }) => outcome === 'failed')).toHaveLength(batch.length);
  });
});
