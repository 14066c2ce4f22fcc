import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import type { StoredState } from '../responses/response-state-store.ts';
import { newApplicant, newSealed } from '../testing/applicants.ts';
import { toCandidates } from './admission.ts';

const survey = { tenantId: toTenantId(randomUUID()), surveyId: randomUUID() };
const limits = [{ linkId: undefined, max: 2 }];

describe('toCandidates', () => {
  it('takes an id once, in the batch and among what is stored', () => {
    const [one, other, deleted] = [newSealed(survey), newSealed(survey), newSealed(survey)];
    const applicants = [one, one, other, deleted].map((response) => newApplicant(response, limits));
    const { surveyId } = survey;
    const states = new Map<string, StoredState>([
      [other.id, { kind: 'stored', surveyId, status: 'completed', revision: 1 }],
      [deleted.id, { kind: 'deleted', surveyId, revision: 2, at: new Date() }],
    ]);
    const [first, ...others] = toCandidates(applicants, states);
    expect(first).toEqual({ applicant: applicants[0], replaced: undefined });
    expect(others).toEqual(['duplicate', 'duplicate', 'duplicate']);
  });

  it('takes the place of a response that was never stored', () => {
    const applicant = newApplicant(newSealed(survey), limits);
    const states = new Map([[applicant.response.id, { kind: 'void' as const, revision: 3 }]]);
    expect(toCandidates([applicant], states)).toEqual([{ applicant, replaced: { status: 'void', revision: 3 } }]);
  });

  it.each([
    ['is still in progress', { revision: 1, status: 'in_progress' }, true],
    ['was saved again', { revision: 2, status: 'in_progress' }, false],
    ['is over', { revision: 1, status: 'abandoned' }, false],
    ['is gone', undefined, false],
  ] as const)('completes a response that %s only as it was', (_what, now, isCompleted) => {
    const applicant = newApplicant(newSealed(survey, { revision: 2 }), limits);
    const { surveyId } = survey;
    const state = now && ({ kind: 'stored', surveyId, ...now } as const);
    const states = new Map(state === undefined ? [] : [[applicant.response.id, state]]);
    const candidate = { applicant, replaced: { status: 'in_progress', revision: 1 } };
    expect(toCandidates([applicant], states)).toEqual([isCompleted ? candidate : 'outdated']);
  });
});
