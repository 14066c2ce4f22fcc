import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { poll } from '@survey/runtime/testing/poll';
import { testLog } from '@survey/runtime/testing/test-log';
import { type Logger, pino } from 'pino';
import { describe, expect, it } from 'vitest';
import {
  createSurveyWalk,
  type DeleteDueData,
  type RetentionSource,
  type SurveyRetention,
  type WalkState,
} from './survey-walk.ts';

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;
const tenantId = toTenantId('t');
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `s${String(index).padStart(4, '0')}`);
const keptOf = (surveyId: string): SurveyRetention => ({ state: 'kept', surveyId, tenantId, retentionDays: 1 });
const known: RetentionSource = async (surveyIds) => new Map(surveyIds.map((id) => [id, keptOf(id)]));
const lease = { acquire: async () => true, release: async () => {} };

interface Setup {
  readonly surveys: readonly string[];
  readonly source?: RetentionSource;
  readonly visit?: DeleteDueData;
  readonly state?: WalkState;
  readonly log?: Logger;
}

/** Starts a walk through surveys, and records its effects. */
function startWalk({ surveys, source = known, visit = async () => 'next-walk', state, log = testLog }: Setup) {
  let [time, saved] = [new Date('2026-05-01T00:00:00Z'), state];
  const [visited, asked]: [string[], (readonly string[])[]] = [[], []];
  const walk = createSurveyWalk({
    store: {
      find: async () => saved,
      async save(next) {
        saved = { ...next, revision: next.revision + 1 };
        return saved;
      },
      findSurveys: async (after, limit) => surveys.filter((id) => id > after).slice(0, limit),
    },
    source(surveyIds) {
      asked.push(surveyIds);
      return source(surveyIds);
    },
    deleteDueData(survey, mayContinue) {
      visited.push(survey.surveyId);
      return visit(survey, mayContinue);
    },
    lease,
    clock: () => time,
    now: () => time.getTime(),
    log,
  });
  walk.start();
  return {
    visited,
    asked,
    state: () => saved,
    untilCompleted: () => poll(() => saved?.completedAt),
    pass(ms: number) {
      time = new Date(time.getTime() + ms);
    },
    stop: walk.stop,
  };
}

describe('the walk through all surveys', () => {
  it('visits each once, in batches of some hundreds, and again an hour later', async () => {
    const surveys = idsOf(1_203);
    const { visited, asked, state, untilCompleted, pass, stop } = startWalk({ surveys });
    await untilCompleted();
    expect(visited).toEqual(surveys);
    expect(asked.map((page) => page.length)).toEqual([500, 500, 203]);
    expect(state()).toMatchObject({ position: '', nextAt: new Date('2026-05-01T01:00:00Z') });
    pass(HOUR_MS);
    await poll(() => visited.length === 2 * surveys.length);
    await stop();
  });

  it('skips those that the survey service does not know', async () => {
    const source: RetentionSource = async (ids) => new Map(ids.slice(1).map((id) => [id, keptOf(id)]));
    const { visited, untilCompleted, stop } = startWalk({ surveys: idsOf(3), source });
    await untilCompleted();
    await stop();
    expect(visited).toEqual(['s0001', 's0002']);
  });

  it('visits nothing during an outage of the survey service, and continues after it', async () => {
    let isAway = true;
    const source: RetentionSource = (ids) => (isAway ? Promise.reject(new AppError('UNAVAILABLE')) : known(ids));
    const { visited, asked, untilCompleted, stop } = startWalk({ surveys: idsOf(3), source });
    await poll(() => asked.length > 1);
    expect(visited).toEqual([]);
    isAway = false;
    await untilCompleted();
    await stop();
    expect(visited).toEqual(idsOf(3));
  });

  it('continues at the position of a killed process', async () => {
    const state = { position: 's0001', hasDueWork: false, nextAt: new Date(0), completedAt: undefined, revision: 1 };
    const { visited, untilCompleted, stop } = startWalk({ surveys: idsOf(4), state });
    await untilCompleted();
    await stop();
    expect(visited).toEqual(['s0002', 's0003']);
  });

  it('starts again if a visit left work', async () => {
    let left = 2;
    const visit: DeleteDueData = async ({ surveyId }) => (surveyId === 's0001' && left-- > 0 ? 'soon' : 'next-walk');
    const { visited, state, stop } = startWalk({ surveys: idsOf(3), visit });
    await poll(() => state()?.nextAt.getTime() === Date.UTC(2026, 4, 1, 1));
    await stop();
    expect(visited).toEqual([...idsOf(3), ...idsOf(3), ...idsOf(3)]);
  });

  it('visits the others if one fails, and that one again in the next walk', async () => {
    let isStuck = true;
    const visit: DeleteDueData = async ({ surveyId }) => {
      if (surveyId === 's0001' && isStuck) throw new Error('stuck');
      return 'next-walk';
    };
    const { visited, untilCompleted, pass, stop } = startWalk({ surveys: idsOf(3), visit });
    await untilCompleted();
    expect(visited).toEqual(idsOf(3));
    isStuck = false;
    pass(HOUR_MS);
    await poll(() => visited.length === 6);
    await stop();
  });

  it('logs each survey that fails, also while work is left', async () => {
    const failed: string[] = [];
    const log = pino({}, { write: (line) => failed.push(JSON.parse(line)['survey_id']) });
    const visit: DeleteDueData = async ({ surveyId }) => {
      if (surveyId !== 's0000') throw new Error('stuck');
      return 'soon';
    };
    const { visited, stop } = startWalk({ surveys: idsOf(3), visit, log });
    await poll(() => visited.length > 3);
    expect(failed.slice(0, 2)).toEqual(['s0001', 's0002']);
    await stop();
  });

  it('reads the retention again if visits have taken more than a minute', async () => {
    const visit: DeleteDueData = async () => {
      walk.pass(MINUTE_MS / 2);
      return 'next-walk';
    };
    const walk = startWalk({ surveys: idsOf(4), visit });
    await walk.untilCompleted();
    await walk.stop();
    expect(walk.visited).toEqual(idsOf(4));
    expect(walk.asked).toEqual([idsOf(4), ['s0003']]);
  });

  it('stops between visits, and saves its position', async () => {
    const reached = Promise.withResolvers<void>();
    const visit: DeleteDueData = async ({ surveyId }, mayContinue) => {
      if (surveyId !== 's0001') return 'next-walk';
      reached.resolve();
      await poll(async () => !(await mayContinue()));
      return 'soon';
    };
    const { visited, state, stop } = startWalk({ surveys: idsOf(4), visit });
    await reached.promise;
    await stop();
    expect(visited).toEqual(['s0000', 's0001']);
    expect(state()).toMatchObject({ position: 's0001', hasDueWork: true });
  });
});
