import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { expect, it } from 'vitest';
import { createDryRunForExisting, type ResponseClient } from './response-client.ts';

const nothing = { externalId: undefined, startedAt: undefined, completedAt: undefined, language: undefined };

it('reports stored responses of all batches as skipped, and does not remember those of the file', async () => {
  const areStored: ResponseClient['areStored'] = async (_importer, _to, batch) =>
    batch.map(({ id }) => id.startsWith('stored'));
  const client = createDryRunForExisting({ areStored });
  const caller = { tenantId: toTenantId('t'), actor: 'user-1', requestId: '', traceparent: '' };
  const to = { surveyId: 's', emitEvents: true, begunAt: new Date(0), wasSentBefore: false };
  const outcomesOf = async (...ids: readonly string[]) => {
    const batch = ids.map((id) => ({ ...nothing, id, metadata: undefined, answers: '{}', allowsMissing: false }));
    return (await client.store(caller, to, batch)).map(({ outcome }) => outcome);
  };
  expect(await outcomesOf('stored 1', 'new')).toEqual(['skipped', 'imported']);
  expect(await outcomesOf('new', 'stored 2')).toEqual(['imported', 'skipped']);
});
