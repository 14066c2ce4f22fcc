import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { LRUCache } from 'lru-cache';
import type { Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import { createSingleFlight } from '../snapshots/single-flight.ts';
import { type DayOf, dayIn } from './day-in.ts';
import type { Summary } from './summary.ts';
import { createSurveyTally } from './survey-tally.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions' | 'digest'>;
  readonly read: ReadResponses;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** A summary, and what the responses were like when it was made. */
interface Kept {
  readonly summary: Summary;
  /** Undefined when they changed while they were read. */
  readonly digest: string | undefined;
  /** Until when nobody looks whether the responses are still like that. */
  readonly restsUntil: number;
}

/** Length of all summaries in memory, as JSON text. */
const CHARACTERS = 32 * 1024 * 1024;
/**
 * A look that takes longer than this is not repeated before as much time has gone by: a summary of very many responses is that
 * much old at the most, and others have the process half of the time. Milliseconds.
 */
const QUICK_MS = 100;

export type SummaryService = ReturnType<typeof createSummaryService>;

export function createSummaryService({ definitions, store, read, now }: Dependencies) {
  const kept = new LRUCache<string, Kept>({
    maxSize: CHARACTERS,
    sizeCalculation: ({ summary }) => JSON.stringify(summary).length,
  });

  const refresh = createSingleFlight(async (key: string, survey: Definition, dayOf: DayOf): Promise<Summary> => {
    const begun = now();
    const known = kept.get(key);
    const digest = await digestOf(survey);
    const isSame = known?.digest === digest;
    const summary = isSame ? known.summary : await sumUp(survey, dayOf);
    // One that came and went meanwhile may be in it, and leaves no trace.
    const isSure = isSame || (await digestOf(survey)) === digest;
    const took = now() - begun;
    kept.set(key, { summary, digest: isSure ? digest : undefined, restsUntil: took > QUICK_MS ? now() + took : 0 });
    return summary;
  });

  const digestOf = ({ tenantId, surveyId }: Definition) => store.digest(tenantId, surveyId);

  async function sumUp(survey: Definition, dayOf: DayOf): Promise<Summary> {
    const { tenantId, surveyId } = survey;
    const tally = createSurveyTally(dayOf);
    const questionsOf = async (version: number) =>
      (await definitions.findAnswered(survey, version)).compiled().questions;
    const versions = new Set(await store.findVersions(tenantId, { surveyId }));
    for (const version of new Set([survey.version, ...versions])) tally.list(await questionsOf(version));
    for await (const responses of read(tenantId, { surveyId })) {
      for (const [version, answers] of Map.groupBy(responses, ({ surveyVersion }) => surveyVersion)) {
        // One of a version that came meanwhile is for the next time.
        if (!versions.has(version)) continue;
        const asked = await questionsOf(version);
        for (const response of answers) tally.add(response, asked);
      }
    }
    return tally.summary();
  }

  return {
    /** Throws `SURVEY_NOT_FOUND`, and `INVALID_REQUEST` for a time zone that there is not. */
    async get(tenantId: TenantId, surveyId: string, timeZone: string): Promise<Summary> {
      const dayOf = dayIn(timeZone);
      const survey = await definitions.findOwned(tenantId, surveyId);
      const key = JSON.stringify([surveyId, survey.version, timeZone]);
      const known = kept.get(key);
      return known !== undefined && now() < known.restsUntil ? known.summary : refresh(key, survey, dayOf);
    },
  };
}
