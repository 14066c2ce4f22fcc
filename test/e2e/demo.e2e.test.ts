import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toDemoCommands } from '@survey/local/demo/demo-commands';
import { describe, expect, inject, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { createApi } from '../support/platform.ts';

/** Runs the curl commands of a text, and returns their replies. */
async function runCommands(text: string): Promise<unknown[]> {
  const replies: unknown[] = [];
  for (const command of text.split('\n').filter((line) => /^ +curl /.test(line))) {
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    replies.push(JSON.parse(stdout));
  }
  return replies;
}

describe('npm run admin -- demo', () => {
  it('creates a tenant with an API key, a survey and responses, whose commands work', async () => {
    const demo = await admin('demo', '--name', 'Tryout');
    for (const token of [demo.token, demo.api_key]) {
      const api = createApi(token);
      expect((await api('GET', '/v1/tenant')).body).toMatchObject({ id: demo.tenant_id, name: 'Tryout' });
      const { body } = await api('GET', `/v1/surveys/${demo.survey_id}/responses`);
      expect(body.map(({ id }: { id: string }) => id).sort()).toEqual([...demo.response_ids].sort());
    }
    expect(demo.response_ids.length).toBeGreaterThan(3);
    const { gateway } = inject('stack');
    const replies = await runCommands(toDemoCommands({ gateway, token: demo.api_key, surveyId: demo.survey_id }));
    expect(replies).toEqual([
      expect.objectContaining({ status: 'draft' }),
      expect.objectContaining({ status: 'completed', survey_id: demo.survey_id }),
      expect.objectContaining({ length: demo.response_ids.length + 1 }),
    ]);
  });

  it('creates another tenant each time, named after the time', async () => {
    const [first, second] = [await admin('demo'), await admin('demo')];
    expect(first.name).toMatch(/^Demo \d{4}-\d{2}-\d{2}T/);
    expect(second.tenant_id).not.toBe(first.tenant_id);
    expect(second.name).not.toBe(first.name);
  });
});
