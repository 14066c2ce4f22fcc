import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { createDryClient } from './dry-client.ts';

const payload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'T',
    supported_languages: ['de-AT'],
    pages: [{ id: 'p', questions: [{ id: 'stars', type: 'rating', title: 'Stars?' }] }],
  },
};
const response = {
  id: 'r',
  externalId: undefined,
  answers: '{"stars":3}',
  startedAt: undefined,
  completedAt: new Date(0),
  language: 'de-at',
  metadata: { a: 1 },
};

describe('a dry run', () => {
  it.each([
    [{}, undefined],
    [{ language: undefined, metadata: undefined }, undefined],
    [{ answers: '{"stars":"many"}' }, 'INVALID_ANSWERS'],
    [{ language: 'fr' }, 'UNDECLARED_LANGUAGE'],
    [{ metadata: { a: 'x'.repeat(20_000) } }, 'TOO_LARGE'],
    [{ startedAt: new Date('+012026-01-01T00:00:00Z') }, 'INVALID_TIME'],
    [{ completedAt: new Date('-000001-01-01T00:00:00Z') }, 'INVALID_TIME'],
  ])('reports the result of storing a response %#', async (change, code) => {
    const importer = { tenantId: toTenantId('t'), actor: '', requestId: '', traceparent: '' };
    const to = { surveyId: 's', silent: false, begunAt: new Date(0) };
    const [outcome] = await createDryClient(payload).store(importer, to, [{ ...response, ...change }]);
    expect(outcome).toMatchObject(code === undefined ? { outcome: 'imported' } : { outcome: 'failed', code });
  });
});
