import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSurveyApp } from '../app.ts';
import { startTestSurveyService, type TestSurveyService } from '../testing/test-survey-service.ts';

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});

afterAll(() => service.close());

/** The metric of a tenant in one process; undefined if there is none. */
async function activeAt(adminPort: number, tenantId: string): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const line = text
    .split('\n')
    .find((each) => each.startsWith('active_surveys_count{') && each.includes(`tenant_id="${tenantId}"`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('active_surveys_count', () => {
  it('is correct after every transition, and reported by one of two replicas', async () => {
    const { id: tenantId, call, createSurvey } = service.tenant();
    const [first, second] = [await createSurvey(), await createSurvey()];
    const active = () => activeAt(service.ports.adminPort, tenantId);
    const act = (id: string, verb: string) => call('POST', `/v1/surveys/${id}/${verb}`);
    expect(await active()).toBeUndefined();
    await act(first, 'publish');
    await act(second, 'publish');
    expect(await active()).toBe(2);
    await act(first, 'duplicate');
    expect(await active()).toBe(2);
    await act(first, 'close');
    expect(await active()).toBe(1);
    await act(first, 'publish');
    const started = await createSurveyApp(service.config, testLog);
    const ports = await started.start();
    try {
      expect(await activeAt(ports.adminPort, tenantId)).toBeUndefined();
      expect(await active()).toBe(2);
    } finally {
      await started.stop();
    }
    await call('DELETE', `/v1/surveys/${second}`);
    expect(await active()).toBe(1);
    await act(second, 'restore');
    expect(await active()).toBe(1);
    await act(second, 'publish');
    await act(first, 'close');
    await act(second, 'close');
    expect(await active()).toBeUndefined();
  });
});
