import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { poll } from '@survey/runtime/testing/poll';
import { expect, inject, it } from 'vitest';
import { killProcess } from '../support/faults/supervised.ts';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant } from '../support/platform.ts';
import { readSubmittedEvents } from './submitted-events.ts';

const isAll = inject('testScope') === 'all';
const KILLS = 10;
const RESPONSES = 60_000;
/** Maximum time between kills, so the import is still running at the last one. */
const LONGEST_MS = 400;

// In `npm test`, `killed-imports.integration.test.ts` of the import service kills one.
it.runIf(isAll)(
  'an import whose process is killed stores each response and reports each error once',
  async () => {
    const { api } = await createTenant();
    const surveyId: string = (await api('POST', '/v1/surveys', { body: lunchSurvey })).body.id;
    const events = await readSubmittedEvents();
    try {
      const isBad = (index: number) => index % 10 === 3;
      const indexes = Array.from({ length: RESPONSES }, (_, index) => index);
      const ids = indexes.map((index) => (index % 2 === 0 ? randomUUID() : `r-${index}`));
      const lines = ids.map((id, index) => JSON.stringify({ id, data: { came: isBad(index) ? 'perhaps' : 'no' } }));
      const path = `/v1/surveys/${surveyId}/responses/import?format=ndjson`;
      const headers = { 'content-type': 'application/x-ndjson' };
      const accepted = await api('POST', path, { body: lines.join('\n'), headers });
      expect(accepted.status).toBe(202);
      const job = async () => (await api('GET', `/v1/imports/${accepted.body.id}`)).body;

      const moments: number[] = [];
      for (let kills = 0; kills < KILLS; kills += 1) {
        const { rows } = (await job()).progress;
        await poll(async () => (await job()).progress.rows > rows);
        await delay(randomInt(LONGEST_MS));
        const { status, progress } = await job();
        expect([status, moments]).toEqual(['running', moments]);
        moments.push(progress.rows);
        await killProcess('import');
      }
      const done = await poll(
        async () => {
          const now = await job();
          return now.finished_at === undefined ? undefined : now;
        },
        { timeoutMs: 120_000 },
      );

      const good = ids.filter((_, index) => !isBad(index));
      const failed = RESPONSES - good.length;
      expect(done, `killed at ${moments}`).toMatchObject({ status: 'completed', total: RESPONSES, failed });
      expect(done.imported + done.skipped).toBe(good.length);
      const errors = String((await api('GET', `/v1/imports/${accepted.body.id}/errors`)).body)
        .trim()
        .split('\n');
      expect(errors.map((line) => JSON.parse(line).index)).toEqual(indexes.filter(isBad));
      const exported = String((await api('GET', `/v1/surveys/${surveyId}/responses/export?format=ndjson`)).body);
      const stored = exported
        .trim()
        .split('\n')
        .map((line): { id: string; external_id?: string } => JSON.parse(line));
      expect(stored.map(({ id, external_id }) => external_id ?? id).toSorted()).toEqual(good.toSorted());
      const delivered = await poll(async () => {
        const byResponse = await events.read([surveyId]);
        return byResponse.size === good.length ? byResponse : undefined;
      });
      expect([...delivered.keys()].toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
      expect([...delivered.values()].filter((own) => own.size !== 1)).toEqual([]);
    } finally {
      await events.close();
    }
  },
  600_000,
);
