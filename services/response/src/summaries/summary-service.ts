import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { LRUCache } from 'lru-cache';
import type { Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseAnswers } from '../responses/response.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import { createRestingReads } from '../responses/resting-reads.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { createSingleFlight } from '../snapshots/single-flight.ts';
import { type DayOf, dayIn } from './day-in.ts';
import type { Summary } from './summary.ts';
import { createSurveyTally } from './survey-tally.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions'>;
  readonly read: ReadResponses<ResponseAnswers>;
  readonly windows: Pick<WriteWindows, 'lastOf' | 'restingOf'>;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** Length of the summaries in memory, as JSON text, in each of two places. */
const SIZE = {
  maxSize: 16 * 1024 * 1024,
  sizeOf: (summary: Summary) => JSON.stringify(summary).length,
};
/** What a tenth of a second is enough for. */
const FEW_RESPONSES = 5_000;

export type SummaryService = ReturnType<typeof createSummaryService>;

export function createSummaryService({ definitions, store, read, windows, now }: Dependencies) {
  /** Of responses that nobody writes at. */
  const exact = createRestingReads<Summary>({ windows, ...SIZE });
  /** Of so many that it is not made again before as much time has gone by: others have the process half of the time. */
  const recent = new LRUCache<string, Summary>({ maxSize: SIZE.maxSize, sizeCalculation: SIZE.sizeOf, perf: { now } });

  const refresh = createSingleFlight((key: string, survey: Definition, dayOf: DayOf) =>
    exact(survey, key, async () => {
      const begun = now();
      const { summary, read: count } = await sumUp(survey, dayOf);
      if (count > FEW_RESPONSES) recent.set(key, summary, { ttl: Math.ceil(now() - begun) });
      return summary;
    }),
  );

  async function sumUp(survey: Definition, dayOf: DayOf) {
    const { tenantId, surveyId } = survey;
    const tally = createSurveyTally(dayOf);
    const questionsOf = async (version: number) =>
      (await definitions.findAnswered(survey, version)).compiled().questions;
    const versions = await store.findVersions(tenantId, { surveyId });
    const counts = new Map<number, ReturnType<typeof tally.list>>();
    for (const version of new Set([survey.version, ...versions]))
      counts.set(version, tally.list(await questionsOf(version)));
    let count = 0;
    for await (const responses of read(tenantId, { surveyId })) {
      count += responses.length;
      // One of a version that came meanwhile is for the next time.
      for (const response of responses) counts.get(response.surveyVersion)?.(response);
    }
    return { summary: tally.summary(), read: count };
  }

  return {
    /** Throws `SURVEY_NOT_FOUND`, and `INVALID_REQUEST` for a time zone that there is not. */
    async get(tenantId: TenantId, surveyId: string, timeZone: string): Promise<Summary> {
      const dayOf = dayIn(timeZone);
      const survey = await definitions.findOwned(tenantId, surveyId);
      const key = JSON.stringify([surveyId, survey.version, timeZone]);
      return recent.get(key) ?? refresh(key, survey, dayOf);
    },
  };
}
