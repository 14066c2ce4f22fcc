import type { ResponseAnswers } from '../responses/response.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore, ResponsesState } from '../responses/response-stream-store.ts';
import type { ResponsesOf } from '../responses/write-window-store.ts';
import type { SurveyCounts, SurveyTally } from './survey-tally.ts';

/** Responses to a survey that were stored from one time until before another; without these, from the first or to the last. */
export interface Section {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly counted?: Counted | undefined;
}

interface Counted {
  /** Of the very responses that were counted. */
  readonly state: ResponsesState;
  readonly counts: SurveyCounts;
}

type CountedSection = Section & { readonly counted: Counted };

/**
 * Counts responses to a survey section by section, oldest first. Those of a section that was counted before are read
 * again only when they are not as they were; in several sections, once there are many.
 */
type SectionReads = (
  survey: ResponsesOf,
  sections: readonly Section[],
  createTally: () => SurveyTally,
) => AsyncIterable<CountedSection>;

interface Dependencies {
  readonly store: Pick<ResponseStreamStore, 'findState'>;
  readonly read: ReadResponses<ResponseAnswers>;
}

/** How many responses a section has at the least that another one follows. */
const SECTION = 10_000;

export function createSectionReads({ store, read }: Dependencies, atLeast = SECTION): SectionReads {
  async function isUnchanged({ tenantId, surveyId }: ResponsesOf, { since, until, counted }: CountedSection) {
    // One more than there were is as good as all that came since.
    const most = counted.state.count + 1;
    const { count, changedMs } = await store.findState(tenantId, { surveyId, since, until }, most);
    return count === counted.state.count && changedMs === counted.state.changedMs;
  }

  async function* countAnew(
    { tenantId, surveyId }: ResponsesOf,
    section: Section,
    createTally: () => SurveyTally,
  ): AsyncGenerator<CountedSection> {
    const { until } = section;
    let { since } = section;
    let counting = createCounting(createTally());
    for await (const responses of read(tenantId, { surveyId, since, until })) {
      const next = responses[0]?.createdAt;
      // Those of one moment stay together.
      if (next !== undefined && counting.count() >= atLeast && counting.isBefore(next)) {
        yield { since, until: next, counted: counting.end() };
        since = next;
        counting = createCounting(createTally());
      }
      counting.add(responses);
    }
    yield { since, until, counted: counting.end() };
  }

  return async function* (survey, sections, createTally) {
    for (const section of sections)
      if (isCounted(section) && (await isUnchanged(survey, section))) yield section;
      else yield* countAnew(survey, section, createTally);
  };
}

function isCounted(section: Section): section is CountedSection {
  return section.counted !== undefined;
}

/** Counts one section. */
function createCounting(tally: SurveyTally) {
  let count = 0;
  let changedMs = 0n;
  let last: Date | undefined;
  return {
    count: () => count,
    isBefore: (time: Date) => last !== undefined && last < time,
    add(responses: readonly ResponseAnswers[]): void {
      for (const response of responses) tally.add(response);
      count += responses.length;
      changedMs += BigInt(responses.reduce((sum, { updatedAt }) => sum + updatedAt.getTime(), 0));
      last = responses.at(-1)?.createdAt ?? last;
    },
    end: (): Counted => ({ state: { count, changedMs }, counts: tally.counts() }),
  };
}
