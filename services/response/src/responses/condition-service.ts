import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import {
  type ResponseConditions,
  resolveConditions,
  type VersionConditions,
} from '@survey/questionnaire/conditions/response-conditions';
import type { ResponseData } from '@survey/questionnaire/validate';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
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
  /** Equal for conditions with the same effect. It contains values: do not log it. */
  readonly canonical: string;
  /** Returns an outcome for each response. Loads the versions of the responses. */
  test(responses: readonly Tested[]): Promise<readonly Outcome[]>;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findAnsweredVersion' | 'findPublishedVersions'>;
  readonly read: ReadResponses<Response>;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Maximum size of the earlier versions in which options are looked up, in characters of JSON. */
const MAX_EARLIER = 16 * 1024 * 1024;
/** Time of testing after which other calls can go on. Milliseconds. */
const BUSY_MS = 20;

export type ConditionService = ReturnType<typeof createConditionService>;

export function createConditionService({ definitions, read, now }: Dependencies) {
  async function findEarlierVersions(survey: CompiledSurvey): Promise<readonly JsonObject[]> {
    const published = await definitions.findPublishedVersions(survey);
    const earlier: JsonObject[] = [];
    let size = 0;
    for (const version of published.toSorted((one, other) => other - one)) {
      if (version === survey.version) continue;
      const found = await definitions.findAnsweredVersion(survey, version);
      size += found.size;
      if (size > MAX_EARLIER) break;
      earlier.push(toDefinition(found));
    }
    return earlier;
  }

  function toConditions(survey: CompiledSurvey, { canonical, forVersion }: ResponseConditions): Conditions {
    const versions = new Map<number, VersionConditions>();
    async function findVersion(version: number): Promise<VersionConditions> {
      const known = versions.get(version);
      if (known !== undefined) return known;
      const created = forVersion(toDefinition(await definitions.findAnsweredVersion(survey, version)));
      versions.set(version, created);
      return created;
    }
    return {
      canonical,
      async test(responses) {
        const outcomes: Outcome[] = [];
        let yieldAt = now() + BUSY_MS;
        for (const response of responses) {
          const version = versions.get(response.surveyVersion) ?? (await findVersion(response.surveyVersion));
          // Stored answers are valid for their version.
          const data = response.data as ResponseData;
          outcomes.push({ isMatch: version.holds({ ...response, data }), lacksQuestion: version.lacksQuestion });
          if (now() < yieldAt) continue;
          await yieldToEventLoop();
          yieldAt = now() + BUSY_MS;
        }
        return outcomes;
      },
    };
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
      const latest = toDefinition(survey);
      let resolved = resolveConditions(where, [latest]);
      if (resolved.dependsOnEarlier) {
        const earlier = await findEarlierVersions(survey);
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

function toDefinition({ definition }: CompiledSurvey): JsonObject {
  return { survey: definition };
}

/** Selects the responses of a stream for which the conditions hold. */
export async function* selectResponses<R>(
  chunks: AsyncIterable<readonly R[]>,
  conditions: Conditions | undefined,
  toTested: (response: R) => Tested,
): AsyncGenerator<readonly R[]> {
  for await (const chunk of chunks) {
    const outcomes = await conditions?.test(chunk.map(toTested));
    yield outcomes === undefined ? chunk : chunk.filter((_, index) => outcomes[index]?.isMatch);
  }
}
