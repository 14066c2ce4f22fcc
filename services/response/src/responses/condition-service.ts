import { hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import {
  type ResponseConditions,
  readVersion,
  resolveConditions,
  type SurveyVersion,
  type VersionConditions,
} from '@survey/questionnaire/conditions/response-conditions';
import type { ResponseData } from '@survey/questionnaire/validate';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createFairMutex } from '@survey/runtime/flow/fair-queue';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import type { Response } from './response.ts';
import type { ResponseFilter } from './response-filter.ts';
import type { ReadResponses } from './response-stream-store.ts';

/** The parts of a response that conditions test. */
export type Tested = Pick<
  Response,
  'surveyVersion' | 'data' | 'metadata' | 'externalId' | 'language' | 'linkId' | 'startedAt' | 'completedAt'
>;

/** The result of the conditions for one response. */
export interface Outcome {
  readonly isMatch: boolean;
  /** Whether the version of the response lacks a question of the conditions: see `VersionConditions`. */
  readonly lacksQuestion: boolean;
}

/** The conditions of a request on the responses to a survey. */
export interface Conditions {
  /** Equal for equal conditions. It reveals no values. */
  readonly digest: string;
  /**
   * Returns an outcome for each response. After the deadline, returns those of the first responses only, at least one.
   *
   * @param deadline a time of the monotonic clock. Default: none
   */
  test(responses: readonly Tested[], deadline?: number): Promise<readonly Outcome[]>;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findAnsweredVersion' | 'findPublishedVersions'>;
  readonly read: ReadResponses<Response>;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Maximum size of the earlier versions in which options are looked up, in characters of JSON. */
const MAX_EARLIER = 16 * 1024 * 1024;
/** Time for which the tests of one request run before those of others. Milliseconds. */
const SLICE_MS = 20;
/** Maximum number of tests that wait, by tenant, and of tenants that wait. */
const MAX_WAITING = { maxPerKey: 256, maxKeys: 10_000 };

export type ConditionService = ReturnType<typeof createConditionService>;

/**
 * Tests conditions on decrypted responses. Tests take the time of the process: they run one after the other, in short
 * slices, and tenants alternate. So neither costly conditions nor many requests of a tenant delay others.
 */
export function createConditionService({ definitions, read, now }: Dependencies) {
  const mutex = createFairMutex(MAX_WAITING);

  async function readEarlierVersions(survey: CompiledSurvey): Promise<readonly SurveyVersion[]> {
    const published = await definitions.findPublishedVersions(survey);
    const earlier: SurveyVersion[] = [];
    let size = 0;
    for (const version of published.toSorted((one, other) => other - one)) {
      if (version === survey.version) continue;
      const found = await definitions.findAnsweredVersion(survey, version);
      size += found.size;
      if (size > MAX_EARLIER) break;
      earlier.push(await readInMutex(found));
    }
    return earlier;
  }

  function readInMutex(survey: CompiledSurvey): Promise<SurveyVersion> {
    return mutex.run(survey.tenantId, async () => {
      const version = readVersion({ survey: survey.definition });
      await yieldToEventLoop();
      return version;
    });
  }

  function toConditions(survey: CompiledSurvey, { canonical, forVersion }: ResponseConditions): Conditions {
    const versions = new Map<number, VersionConditions>();
    async function findVersion(version: number): Promise<VersionConditions> {
      const known = versions.get(version);
      if (known !== undefined) return known;
      const created = forVersion(await readInMutex(await definitions.findAnsweredVersion(survey, version)));
      versions.set(version, created);
      return created;
    }
    return {
      digest: hash('sha256', canonical, 'base64url'),
      async test(responses, deadline = Number.POSITIVE_INFINITY) {
        const outcomes: Outcome[] = [];
        for (const { surveyVersion } of responses) await findVersion(surveyVersion);
        const tests = responses.values().map(startTest);
        let running = tests.next().value;
        /** Tests responses for a short time. */
        async function testSome(): Promise<void> {
          for (const sliceEnd = now() + SLICE_MS; running !== undefined && now() < sliceEnd; ) {
            const step = running.test.next();
            if (step.done !== true) continue;
            outcomes.push({ isMatch: step.value, lacksQuestion: running.lacksQuestion });
            running = tests.next().value;
          }
          await yieldToEventLoop();
        }
        while (running !== undefined && (outcomes.length === 0 || now() < deadline))
          await mutex.run(survey.tenantId, testSome);
        return outcomes;
      },
    };

    function startTest(response: Tested) {
      const version = versions.get(response.surveyVersion);
      if (version === undefined) throw new Error(`the version ${response.surveyVersion} is not loaded`);
      // Stored answers are valid for their version.
      const test = version.test({ ...response, data: response.data as ResponseData });
      return { test, lacksQuestion: version.lacksQuestion };
    }
  }

  return {
    /** Reads all responses of a filter, with their outcomes. */
    async *read(
      tenantId: TenantId,
      filter: ResponseFilter,
      conditions: Conditions,
    ): AsyncGenerator<readonly (Response & Outcome)[]> {
      for await (const responses of read(tenantId, filter))
        yield withOutcomes(responses, await conditions.test(responses));
    },

    /** Resolves the conditions of a request, if it has any. Throws `VALIDATION_FAILED`. */
    async resolve(survey: CompiledSurvey, where: JsonObject | undefined): Promise<Conditions | undefined> {
      if (where === undefined) return undefined;
      const latest = await readInMutex(survey);
      let resolved = resolveConditions(where, [latest]);
      if (resolved.dependsOnEarlier) {
        const earlier = await readEarlierVersions(survey);
        if (earlier.length > 0) resolved = resolveConditions(where, [latest, ...earlier]);
      }
      const { conditions, problems } = resolved;
      if (conditions !== undefined) return toConditions(survey, conditions);
      const errors = problems.map(({ path, code, detail }) => ({ path: `/where${path}`, code, detail }));
      throw new AppError('VALIDATION_FAILED', { errors });
    },
  };
}

function withOutcomes(responses: readonly Response[], outcomes: readonly Outcome[]): readonly (Response & Outcome)[] {
  return outcomes.flatMap((outcome, index) => {
    const response = responses[index];
    return response === undefined ? [] : { ...response, ...outcome };
  });
}

/** Selects the responses of a stream for which the conditions hold. Ends with the reason of the signal. */
export async function* selectResponses<R>(
  chunks: AsyncIterable<readonly R[]>,
  conditions: Conditions | undefined,
  toTested: (response: R) => Tested,
  signal: AbortSignal,
): AsyncGenerator<readonly R[]> {
  for await (const chunk of chunks) {
    // A reader that has no row to write would not notice that its client left.
    signal.throwIfAborted();
    const outcomes = await conditions?.test(chunk.map(toTested));
    yield outcomes === undefined ? chunk : chunk.filter((_, index) => outcomes[index]?.isMatch);
  }
}
