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
import { type ExternalIdKey, type ResponseFilter, type Selection, withNearestLanguage } from './response-filter.ts';
import type { ReadResponses } from './response-stream-store.ts';
import type { SurveyRef } from './write-window-store.ts';

/** The parts of a response that conditions test. */
export type Tested = Pick<
  Response,
  'surveyVersion' | 'data' | 'metadata' | 'externalId' | 'language' | 'linkId' | 'startedAt' | 'completedAt'
>;

/** The outcome of the conditions for one response. */
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
   * Returns each response with its outcome. After the deadline, returns only the first responses, at least one.
   *
   * @param deadline a time of the monotonic clock. Default: none
   */
  test<R extends Tested>(responses: readonly R[], deadline?: number): Promise<readonly (R & Outcome)[]>;
  /** Whether a version lacks a question of the conditions: see `VersionConditions`. */
  lacksQuestion(version: number): Promise<boolean>;
}

/** A selection for one survey. */
export interface ResolvedSelection {
  readonly filter: ResponseFilter;
  readonly conditions: Conditions | undefined;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findAnsweredVersion' | 'findPublishedVersions'>;
  readonly read: ReadResponses<Response>;
  readonly findExternalId: (survey: SurveyRef, externalId: string) => Promise<ExternalIdKey>;
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
export function createConditionService({ definitions, read, findExternalId, now }: Dependencies) {
  const mutex = createFairMutex(MAX_WAITING);
  /** The definitions that were read. They are kept as long as the definition service caches them. */
  const versionsRead = new WeakMap<JsonObject, SurveyVersion>();

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

  async function readInMutex({ tenantId, definition }: CompiledSurvey): Promise<SurveyVersion> {
    const known = versionsRead.get(definition);
    if (known !== undefined) return known;
    return mutex.run(tenantId, async () => {
      const version = readVersion({ survey: definition });
      versionsRead.set(definition, version);
      await yieldToEventLoop();
      return version;
    });
  }

  function toConditions(survey: CompiledSurvey, { canonical, forVersion }: ResponseConditions): Conditions {
    const versions = new Map<number, VersionConditions>();
    async function loadVersion(version: number): Promise<VersionConditions> {
      const known = versions.get(version);
      if (known !== undefined) return known;
      const loaded = forVersion(await readInMutex(await definitions.findAnsweredVersion(survey, version)));
      versions.set(version, loaded);
      return loaded;
    }
    return {
      digest: hash('sha256', canonical, 'base64url'),
      lacksQuestion: async (version) => (await loadVersion(version)).lacksQuestion,
      async test<R extends Tested>(responses: readonly R[], deadline = Number.POSITIVE_INFINITY) {
        const tested: (R & Outcome)[] = [];
        for (const version of new Set(responses.map(({ surveyVersion }) => surveyVersion))) await loadVersion(version);
        const tests = responses.values().map(startTest);
        let running = tests.next().value;
        /** Tests responses for a short time. */
        async function testSome(): Promise<void> {
          for (const sliceEnd = now() + SLICE_MS; running !== undefined && now() < sliceEnd; ) {
            const step = running.test.next();
            if (step.done !== true) continue;
            tested.push({ ...running.response, isMatch: step.value, lacksQuestion: running.lacksQuestion });
            running = tests.next().value;
          }
          await yieldToEventLoop();
        }
        while (running !== undefined && (tested.length === 0 || now() < deadline))
          await mutex.run(survey.tenantId, testSome);
        return tested;
      },
    };

    function startTest<R extends Tested>(response: R) {
      const version = versions.get(response.surveyVersion);
      if (version === undefined) throw new Error(`the version ${response.surveyVersion} is not loaded`);
      // Stored answers are valid for their version.
      const test = version.test({ ...response, data: response.data as ResponseData });
      return { response, test, lacksQuestion: version.lacksQuestion };
    }
  }

  /** Throws `VALIDATION_FAILED`. */
  async function resolveWhere(survey: CompiledSurvey, where: JsonObject): Promise<Conditions> {
    const latest = await readInMutex(survey);
    const { metadataFields } = survey.settings;
    let resolved = resolveConditions(where, [latest], metadataFields);
    if (resolved.dependsOnEarlier) {
      const earlier = await readEarlierVersions(survey);
      if (earlier.length > 0) resolved = resolveConditions(where, [latest, ...earlier], metadataFields);
    }
    const { conditions, problems } = resolved;
    if (conditions !== undefined) return toConditions(survey, conditions);
    const errors = problems.map(({ path, code, detail }) => ({ path: `/where${path}`, code, detail }));
    throw new AppError('VALIDATION_FAILED', { errors });
  }

  return {
    /** Reads all responses of a filter, with their outcomes. */
    async *read(
      tenantId: TenantId,
      filter: ResponseFilter,
      conditions: Conditions,
    ): AsyncGenerator<readonly (Response & Outcome)[]> {
      for await (const responses of read(tenantId, filter)) yield conditions.test(responses);
    },

    /** Splits a selection into the filter, which MongoDB tests, and conditions, if any. Throws `VALIDATION_FAILED`. */
    async resolve(survey: CompiledSurvey, { where, externalId, ...given }: Selection): Promise<ResolvedSelection> {
      const key = externalId === undefined ? undefined : await findExternalId(survey, externalId);
      const filter = withNearestLanguage({ ...given, externalId: key }, survey);
      return { filter, conditions: where && (await resolveWhere(survey, where)) };
    },
  };
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
    const tested = await conditions?.test(chunk.map(toTested));
    yield tested === undefined ? chunk : chunk.filter((_, index) => tested[index]?.isMatch);
  }
}
