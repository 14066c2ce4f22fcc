import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { poll } from '@survey/runtime/testing/poll';
import { testLog } from '@survey/runtime/testing/test-log';
import { describe, expect, it } from 'vitest';
import { createSurveyCloser } from './survey-closer.ts';
import type { SurveyStore } from './survey-store.ts';
import { testSurvey } from './testing/test-survey.ts';

const tenantId = toTenantId('t-1');
const lease = { acquire: async () => true, release: async () => {} };
const clock = () => new Date();

/** A store with due surveys, and a service that cannot close some of them. */
function startCloser(ids: readonly string[], stuck: ReadonlySet<string> = new Set()) {
  const due = new Set(ids);
  const store: Pick<SurveyStore, 'findDue'> = {
    async findDue(closesAt, limit, after) {
      const rest = after === undefined ? ids : ids.slice(ids.indexOf(after.id) + 1);
      const found = rest.filter((id) => due.has(id)).slice(0, limit);
      return found.map((id) => ({ id, tenantId, closesAt }));
    },
  };
  const surveys = {
    async closeIfPastClosing({ id }: { readonly id: string }) {
      if (stuck.has(id)) throw new Error('stuck');
      due.delete(id);
      return testSurvey;
    },
  };
  const closer = createSurveyCloser({ store, surveys, lease, clock, log: testLog });
  closer.start();
  return { due, stop: closer.stop };
}

describe('survey closer', () => {
  it('processes all pages', async () => {
    const { due, stop } = startCloser(Array.from({ length: 120 }, (_, at) => `s-${at}`));
    await poll(() => due.size === 0);
    await stop();
  });

  it('continues after a survey that cannot be closed', async () => {
    const { due, stop } = startCloser(['s-1', 's-2', 's-3'], new Set(['s-2']));
    await poll(() => due.size === 1);
    await stop();
    expect([...due]).toEqual(['s-2']);
  });

  it('continues after more than a page of failures, and retries them', async () => {
    const ids = Array.from({ length: 170 }, (_, at) => `s-${at}`);
    const { due, stop } = startCloser(ids, new Set(ids.slice(0, 110)));
    await poll(() => due.size === 110);
    await stop();
    expect([...due]).toEqual(ids.slice(0, 110));
  });
});
