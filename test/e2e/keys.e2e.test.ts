import { randomUUID } from 'node:crypto';
import { catalog } from '@survey/proto/catalog';
import { describe, expect, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createApi, createTenant } from '../support/platform.ts';

const services = Object.keys(catalog).sort();

describe('an operator', () => {
  it('rotates the data keys of a tenant, which can still read and collect responses', async () => {
    const { tenantId, api } = await createTenant();
    const { body: survey } = await api('POST', '/v1/surveys', { body: lunchSurvey });
    await api('POST', `/v1/surveys/${survey.id}/publish`);
    const submit = () =>
      createApi()('POST', `/v1/public/surveys/${survey.id}/responses`, { body: { data: lunchAnswers } });
    expect((await submit()).status).toBe(201);
    const rotated = await admin('keys', 'rotate', '--tenant', tenantId);
    expect(Object.keys(rotated).sort()).toEqual(services);
    expect(rotated.response).toEqual({ version: 2 });
    expect((await submit()).status).toBe(201);
    const { body: responses } = await api('GET', `/v1/surveys/${survey.id}/responses`);
    expect(responses).toMatchObject([{ data: lunchAnswers }, { data: lunchAnswers }]);
  });

  it('creates no data keys for an unknown tenant', async () => {
    const rotate = admin('keys', 'rotate', '--tenant', randomUUID());
    await expect(rotate).rejects.toThrow(/^Tenant not found$/);
  });

  it('sees for every service that only the active key is in use', async () => {
    const rewrapped = await admin('keys', 'rewrap');
    const nothing = { active_key: 'k1', rewrapped: 0, remaining: 0 };
    expect(rewrapped).toEqual(Object.fromEntries(services.map((name) => [name, nothing])));
  });
});
