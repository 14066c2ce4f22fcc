import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import type { StoredState } from '../responses/response-document-store.ts';
import { newPendingResponse, newSealed } from '../testing/new-response.ts';
import { toCandidates } from './limit.ts';

const createdAt = new Date();
const survey = { tenantId: toTenantId(randomUUID()), surveyId: randomUUID() };
const limits = [{ linkId: undefined, max: 2 }];

describe('toCandidates', () => {
  it('accepts an id once, within the batch and among stored documents', () => {
    const [one, other, deleted] = [newSealed(survey), newSealed(survey), newSealed(survey)];
    const pendingResponses = [one, one, one, other, deleted].map((response) => newPendingResponse(response, limits));
    const states = new Map<string, StoredState>([
      [other.id, { kind: 'stored', ...survey, status: 'completed', revision: 1, createdAt }],
      [
        deleted.id,
        {
          kind: 'deleted',
          surveyId: survey.surveyId,
          revision: 2,
          at: new Date(),
          wasUnfinished: false,
          wasLinked: false,
        },
      ],
    ]);
    const [first, ...others] = toCandidates(pendingResponses, states);
    expect(first).toBe(pendingResponses[0]);
    const repeated = { candidate: first, ifStored: 'duplicate' };
    expect(others).toEqual([repeated, repeated, 'duplicate', 'duplicate']);
  });

  it.each(['void', 'blocked'] as const)('replaces a %s tombstone that has not changed since it was read', (status) => {
    const read = { status, revision: 3 };
    const pending = newPendingResponse(newSealed(survey), limits, read);
    const statesAt = (revision: number) =>
      new Map<string, StoredState>([[pending.response.id, { kind: 'void', status, revision }]]);
    expect(toCandidates([pending], statesAt(3))).toEqual([pending]);
    expect(toCandidates([pending], statesAt(4))).toEqual(['duplicate']);
    expect(toCandidates([pending], new Map())).toEqual(['duplicate']);
    expect(toCandidates([{ ...pending, replaced: undefined }], statesAt(3))).toEqual(['duplicate']);
  });

  it.each([
    ['is still in progress', { revision: 1, status: 'in_progress' }, true],
    ['was saved again', { revision: 2, status: 'in_progress' }, false],
    ['was abandoned', { revision: 1, status: 'abandoned' }, false],
    ['was deleted', undefined, false],
  ] as const)('completes a response that %s only at its expected revision', (_case, now, isCompleted) => {
    const pending = newPendingResponse(newSealed(survey, { revision: 2 }), limits);
    const state = now && ({ kind: 'stored', ...survey, ...now, createdAt } as const);
    const states = new Map(state === undefined ? [] : [[pending.response.id, state]]);
    expect(toCandidates([pending], states)).toEqual([isCompleted ? pending : 'outdated']);
  });
});
