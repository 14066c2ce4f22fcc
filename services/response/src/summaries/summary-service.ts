import type { CountedQuestion } from '@survey/questionnaire/compile';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import { LRUCache } from 'lru-cache';
import type { Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseAnswers } from '../responses/response.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import { createRestingReads } from '../responses/resting-reads.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { type DayOf, dayIn } from './day-in.ts';
import { createSectionReads, type Section } from './section-reads.ts';
import type { Summary } from './summary.ts';
import { createSurveyTally, type Versions } from './survey-tally.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions' | 'findState'>;
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
/** What is counted in sections, as `SurveyCounts` tell their size: some 40 MB, of which one survey may have half. */
const MAX_COUNTS = 500_000;
const KEPT_MS = 24 * 60 * 60_000;
/** What a tenth of a second is enough for. */
const FEW_RESPONSES = 5_000;

export type SummaryService = ReturnType<typeof createSummaryService>;

export function createSummaryService({ definitions, store, read, windows, now }: Dependencies, maxCounts = MAX_COUNTS) {
  const readSections = createSectionReads({ store, read });
  /** What was counted last, so that only what changed is counted anew. */
  const counted = new LRUCache<string, readonly Section[]>({
    maxSize: maxCounts,
    sizeCalculation: sizeOf,
    ttl: KEPT_MS,
  });
  /** Of responses that nobody writes at. */
  const exact = createRestingReads<Summary>({ windows, ...SIZE });
  /** Of so many that it is not made again before as much time has gone by: others have the process half of the time. */
  const recent = new LRUCache<string, Summary>({ maxSize: SIZE.maxSize, sizeCalculation: SIZE.sizeOf, perf: { now } });

  const refresh = createSingleFlight((key: string, survey: Definition, dayOf: DayOf) =>
    exact(survey, key, async () => {
      const begun = now();
      const { summary, count } = await sumUp(key, survey, dayOf);
      if (count > FEW_RESPONSES) recent.set(key, summary, { ttl: Math.ceil(now() - begun) });
      return summary;
    }),
  );

  async function sumUp(what: string, survey: Definition, dayOf: DayOf) {
    const versions = await findVersions(survey);
    // The total lists what nobody chose: sections keep only what was.
    const createTally = () => createSurveyTally(versions, dayOf, { maxListed: 0 });
    const key = JSON.stringify([what, ...versions.keys()]);
    const total = createSurveyTally(versions, dayOf);
    const sections: Section[] = [];
    let [count, size] = [0, 0];
    const known = counted.get(key) ?? [{}];
    try {
      for await (const section of readSections(survey, known, createTally)) {
        const { since, until } = section;
        const { state, counts } = section.counted;
        total.absorb(counts);
        count += state.count;
        size += counts.size;
        sections.push(size > maxCounts / 2 ? { since, until } : section);
      }
    } catch (error) {
      // What was counted by then is not counted again.
      if (sections.length >= known.length) counted.set(key, [...sections, { since: sections.at(-1)?.until }]);
      throw error;
    }
    counted.set(key, sections);
    return { summary: total.summary(), count };
  }

  /** Those that are answered, and the latest. One that is answered first while the responses are read is for the next time. */
  async function findVersions(survey: Definition): Promise<Versions> {
    const { tenantId, surveyId, version: latest } = survey;
    const questions = new Map<number, readonly CountedQuestion[]>();
    for (const version of new Set([latest, ...(await store.findVersions(tenantId, { surveyId }))]))
      questions.set(version, (await definitions.findAnswered(survey, version)).compiled().questions);
    return questions;
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

function sizeOf(sections: readonly Section[]): number {
  return sections.reduce((sum, { counted }) => sum + 1 + (counted?.counts.size ?? 0), 0);
}
