import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { publicDefinitionOf, type Snapshot } from './definition.ts';

describe('publicDefinitionOf', () => {
  it('leaves out what an import kept of its source, wherever it is, and nothing else', () => {
    const question = { id: 'q', type: 'text', title: 'source_data', custom: { a: [1, null] } };
    const definition = {
      title: 'T',
      source_data: { secret: 1 },
      pages: [{ questions: [{ ...question, source_data: { column: 'private' } }], source_data: {} }],
    };
    const snapshot: Snapshot = {
      surveyId: 's',
      tenantId: toTenantId('t'),
      status: 'active',
      schemaVersion: '1.0',
      version: 1,
      definition,
    };
    expect(publicDefinitionOf(snapshot)).toEqual({ title: 'T', pages: [{ questions: [question] }] });
  });
});
