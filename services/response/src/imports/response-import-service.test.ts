import { randomUUID } from 'node:crypto';
import { compile } from '@survey/questionnaire/compile';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { LedgerRecords } from '../seats/ledger-store.ts';
import { openSettings, testDefinition } from '../testing/test-definition.ts';
import { createResponseImportService } from './response-import-service.ts';

const untracked = {
  track: <T>(_survey: unknown, _change: unknown, write: (tracked: LedgerRecords) => Promise<T>) =>
    write({ entry: undefined, lastSeat: undefined }),
};

/** The sealed content does not matter here. */
const unsealed: Pick<ResponseSealer, 'forTenant'> = {
  forTenant: async () => ({
    seal: (response) => response as never,
    sealExternalId: () => ({}) as never,
    idsOfIdempotencyKey: () => ['', ''],
  }),
};

const findNewer = async () => undefined;

describe('a batch of imported responses', () => {
  it('yields to other calls, even if nothing can be stored', async () => {
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
    const state = { status: 'closed', settings: openSettings, wasPublished: true } as const;
    const snapshot = { surveyId: 's', tenantId, ...state, schemaVersion, version, definition };
    const imports = createResponseImportService({
      definitions: { findOwned: async () => ({ ...snapshot, size: 0, compiled: () => counting }), findNewer },
      store: { insertAll: async () => [], findStates: async () => new Map() },
      ledgers: untracked,
      sealer: { forTenant: () => Promise.reject(new Error('nothing is to be stored')) },
      countStored: () => {},
      clock: () => new Date(0),
    });
    const times = { startedAt: undefined, completedAt: undefined };
    const ordinary = { status: undefined, allowsMissing: false };
    const bad = { externalId: undefined, data: {}, ...times, language: undefined, metadata: undefined, ...ordinary };
    const batch = Array.from({ length: 1_000 }, () => ({ ...bad, id: randomUUID() }));
    const storing = imports.storeImported(
      { tenantId, traceparent: '' },
      { surveyId: 's', silent: false, begunAt: new Date(0), wasSentBefore: false },
      batch,
    );
    const checkedBefore = await new Promise<number>((resolve) => setImmediate(() => resolve(checked)));
    expect(checkedBefore).toBeLessThan(batch.length);
    expect((await storing).filter(({ outcome }) => outcome === 'failed')).toHaveLength(batch.length);
  });

  it('stores nothing more once its survey is deleted, even while it waits for the ledger', async () => {
    const tenantId = toTenantId('t');
    const [schemaVersion, version, definition] = ['1.0', 1, testDefinition];
    const compiled = compile({ schema_version: schemaVersion, version, survey: definition });
    const state = { status: 'closed', settings: openSettings, wasPublished: true } as const;
    const snapshot = { surveyId: 's', tenantId, ...state, schemaVersion, version, definition };
    let isDeleted = false;
    let stored = 0;
    const imports = createResponseImportService({
      definitions: {
        async findOwned() {
          if (isDeleted) throw new AppError('SURVEY_NOT_FOUND');
          return { ...snapshot, size: 0, compiled: () => compiled };
        },
        findNewer,
      },
      store: {
        insertAll: async (items) => {
          stored += items.length;
          return items.map(() => 'inserted' as const);
        },
        findStates: async () => new Map(),
      },
      ledgers: {
        track(...given) {
          isDeleted = stored > 0;
          return untracked.track(...given);
        },
      },
      sealer: unsealed,
      countStored: () => {},
      clock: () => new Date(0),
    });
    const times = { startedAt: undefined, completedAt: undefined };
    const ordinary = { status: undefined, allowsMissing: false, externalId: undefined, metadata: undefined };
    const batch = Array.from({ length: 150 }, () => {
      return { ...times, ...ordinary, id: randomUUID(), data: { ate: 'no' }, language: undefined };
    });
    const to = { surveyId: 's', silent: false, begunAt: new Date(0), wasSentBefore: false };
    const storing = imports.storeImported({ tenantId, traceparent: '' }, to, batch);
    await expect(storing).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    expect(stored).toBe(100);
  });

  it('publishes events unless it is silent, and counts responses that are not in progress', async () => {
    const tenantId = toTenantId('t');
    const [schemaVersion, version, definition] = ['1.0', 1, testDefinition];
    const compiled = compile({ schema_version: schemaVersion, version, survey: definition });
    const state = { status: 'closed', settings: openSettings, wasPublished: true } as const;
    const snapshot = { surveyId: 's', tenantId, ...state, schemaVersion, version, definition };
    const eventCounts: number[] = [];
    const counted: string[] = [];
    const imports = createResponseImportService({
      definitions: { findOwned: async () => ({ ...snapshot, size: 0, compiled: () => compiled }), findNewer },
      store: {
        insertAll: async (items) => {
          eventCounts.push(...items.map(({ events }) => events.length));
          return items.map(() => 'inserted' as const);
        },
        findStates: async () => new Map(),
      },
      ledgers: untracked,
      sealer: unsealed,
      countStored: ({ status }) => counted.push(status),
      clock: () => new Date(0),
    });
    const times = { startedAt: undefined, completedAt: undefined };
    const ordinary = { status: undefined, allowsMissing: false };
    const details = { externalId: undefined, ...times, language: undefined, metadata: undefined, ...ordinary };
    const batch = ([undefined, 'in_progress', 'abandoned'] as const).map((status) => {
      return { ...details, id: randomUUID(), data: { ate: 'no' }, status };
    });
    for (const silent of [true, false]) {
      const to = { surveyId: 's', silent, begunAt: new Date(0), wasSentBefore: false };
      expect(await imports.storeImported({ tenantId, traceparent: '' }, to, batch)).toEqual(
        batch.map(() => ({ outcome: 'imported' })),
      );
    }
    expect(eventCounts.slice(0, 3)).toEqual([0, 0, 0]);
    expect(eventCounts[3]).toBeGreaterThan(0);
    expect(counted).toEqual(['completed', 'abandoned', 'completed', 'abandoned']);
  });
});
