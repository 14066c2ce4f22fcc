import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { newApplicant, newSealed } from '../testing/applicants.ts';
import { admit, type Situation } from './admission.ts';

const survey = { tenantId: toTenantId(randomUUID()), surveyId: randomUUID() };
const ofSurvey = { linkId: undefined, max: 2 };
const ofLink = { linkId: 'link', max: 1 };
const empty: Situation = { stored: new Map(), taken: new Map() };

describe('admit', () => {
  it('lets in first come, first served, until a limit is reached', () => {
    const applicants = Array.from({ length: 4 }, () => newApplicant(newSealed(survey), [ofSurvey]));
    expect(admit(applicants, empty)).toEqual(['stored', 'stored', ofSurvey, ofSurvey]);
    expect(admit(applicants, { ...empty, taken: new Map([[undefined, 1]]) })[1]).toEqual(ofSurvey);
  });

  it('takes a place of a link and of its survey for who comes through it, and of neither for who is refused', () => {
    const through = () => newApplicant(newSealed(survey), [ofLink, ofSurvey]);
    const straight = () => newApplicant(newSealed(survey), [ofSurvey]);
    const outcomes = admit([through(), through(), straight(), straight()], empty);
    expect(outcomes).toEqual(['stored', ofLink, 'stored', ofSurvey]);
  });

  it('gives no second place to an id, not in the same batch either', () => {
    const [one, other] = [newSealed(survey), newSealed(survey)];
    const applicants = [one, one, other].map((response) => newApplicant(response, [ofSurvey]));
    const stored = new Map([[other.id, { revision: 1, status: 'completed' as const }]]);
    expect(admit(applicants, { ...empty, stored })).toEqual(['stored', 'duplicate', 'duplicate']);
    // What remains of a deleted response has neither.
    expect(admit([newApplicant(other, [ofSurvey])], { ...empty, stored: new Map([[other.id, undefined]]) })).toEqual([
      'duplicate',
    ]);
  });

  it.each([
    ['is still in progress', { revision: 1, status: 'in_progress' }, 'stored'],
    ['was saved again', { revision: 2, status: 'in_progress' }, 'outdated'],
    ['is over', { revision: 1, status: 'abandoned' }, 'outdated'],
    ['is gone', undefined, 'outdated'],
  ] as const)('completes a response that %s only as it was', (_what, now, outcome) => {
    const response = newSealed(survey, { revision: 2 });
    const stored = now === undefined ? new Map() : new Map([[response.id, now]]);
    expect(admit([newApplicant(response, [ofSurvey])], { ...empty, stored })).toEqual([outcome]);
  });
});
