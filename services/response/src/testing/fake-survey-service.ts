import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { createTokenVerifier } from '@survey/runtime/auth/internal-token';
import { createKeySet } from '@survey/runtime/auth/key-set';
import { AppError } from '@survey/runtime/errors/app-error';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { createGrpcServer } from '@survey/runtime/rpc/grpc-server';
import { implement } from '@survey/runtime/rpc/implementation';
import { createPipeline } from '@survey/runtime/rpc/pipeline';
import type { TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import type { SurveySettings, SurveyStatus } from '../surveys/definition.ts';
import { testDefinition } from './test-definition.ts';

/** A survey of a test. The service keeps the last state of each version. */
export interface TestSurvey {
  readonly surveyId: string;
  readonly tenantId: string;
  readonly status: SurveyStatus;
  readonly settings: Partial<SurveySettings>;
  readonly version: number;
  readonly schemaVersion: string;
  readonly definition: JsonObject;
  /** Whether the survey was purged after its deletion. */
  readonly isPurged: boolean;
}

interface TestVersion {
  readonly definition: JsonObject;
  readonly wasPublished: boolean;
}

export interface TestLink {
  readonly linkId: string;
  readonly slug: string;
  /** Former slugs that still find the link. */
  readonly formerSlugs?: readonly string[];
  readonly tenantId: string;
  readonly surveyId: string;
  readonly active: boolean;
  readonly expiresAt?: Date;
  readonly maxResponses?: number;
  readonly singleUse: boolean;
  readonly tokenKey?: Uint8Array;
  readonly passwordHash?: string;
  readonly metadata?: JsonObject;
  readonly revision: number;
}

/** A fake survey service over real gRPC, with surveys and links in memory. */
export interface FakeSurveyService {
  readonly address: string;
  /** Adds a survey. Default: active, with its own tenant. */
  add(survey?: Partial<TestSurvey>): TestSurvey;
  set(surveyId: string, change: Partial<TestSurvey>): void;
  /** Adds a link to a survey. Default: without password or tokens. */
  addLink(survey: TestSurvey, link?: Partial<TestLink>): TestLink;
  setLink(slug: string, change: Partial<TestLink>): void;
  removeLink(slug: string): void;
  /** Number of definitions in replies. */
  definitionsSent(): number;
  /** Rejects calls until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startFakeSurveyService(keys: TestKeys): Promise<FakeSurveyService> {
  const surveys = new Map<string, TestSurvey>();
  const versions = new Map<string, Map<number, TestVersion>>();
  const links = new Map<string, TestLink>();
  let definitionsSent = 0;

  function put(survey: TestSurvey): void {
    surveys.set(survey.surveyId, survey);
    const known = versions.get(survey.surveyId) ?? new Map<number, TestVersion>();
    const wasPublished = survey.status === 'active' || known.get(survey.version)?.wasPublished === true;
    versions.set(survey.surveyId, known.set(survey.version, { definition: survey.definition, wasPublished }));
  }

  function publishedVersionsOf(surveyId: string): number[] {
    const published = [...(versions.get(surveyId) ?? [])].filter(([, { wasPublished }]) => wasPublished);
    return published.map(([version]) => version).sort((one, other) => other - one);
  }

  const handler = implement(DefinitionService, {
    getDefinition({ surveyId, version: requestedVersion, knownVersion, withPublishedVersions }) {
      const survey = surveys.get(surveyId);
      if (survey === undefined || survey.isPurged) throw new AppError('SURVEY_NOT_FOUND');
      const version = requestedVersion ?? survey.version;
      const found = versions.get(surveyId)?.get(version);
      if (found === undefined) throw new AppError('VERSION_NOT_FOUND');
      const { tenantId, status, schemaVersion, version: latestVersion } = survey;
      const { definition, wasPublished } = found;
      const settings = toSettingsMessage(survey.settings);
      const publishedVersions = withPublishedVersions ? publishedVersionsOf(surveyId) : [];
      const state = { tenantId, status, settings, schemaVersion, version, latestVersion };
      const reply = { ...state, wasLive: wasPublished, publishedVersions };
      if (version === knownVersion) return reply;
      definitionsSent += 1;
      return { ...reply, definition };
    },
    getRetentions({ surveyIds }) {
      const found = surveyIds.flatMap((surveyId) => {
        const survey = surveys.get(surveyId);
        if (survey === undefined) return [];
        const { tenantId, settings, isPurged } = survey;
        const { retentionDays } = settings;
        const state = isPurged ? 'purged' : 'kept';
        return [{ surveyId, tenantId, state, ...(retentionDays !== undefined && { retentionDays }) }];
      });
      return { retentions: found };
    },
    getLinkBySlug({ slug }) {
      const link = links.get(slug) ?? [...links.values()].find(({ formerSlugs = [] }) => formerSlugs.includes(slug));
      if (link === undefined) throw new AppError('LINK_NOT_FOUND');
      const { expiresAt, formerSlugs: _, ...rest } = link;
      return { ...rest, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) };
    },
    getLinkSlug({ linkId }, context) {
      const { tenantId } = tenantCallOf(context);
      const link = [...links.values()].find((one) => one.linkId === linkId && one.tenantId === tenantId);
      if (link === undefined) throw new AppError('LINK_NOT_FOUND');
      return { slug: link.slug };
    },
    findLinks({ linkIds }, context) {
      const { tenantId } = tenantCallOf(context);
      const own = new Set([...links.values()].filter((link) => link.tenantId === tenantId).map(({ linkId }) => linkId));
      return { linkIds: linkIds.filter((id) => own.has(id)) };
    },
    findSurveys: () => Promise.reject(new Error('not called by the response service')),
    storeImportedSurvey: () => Promise.reject(new Error('not called by the response service')),
  });

  const keySet = await createKeySet({ file: keys.jwksFile, log: testLog });
  const verifier = createTokenVerifier({ service: 'survey', keySet });
  const createServer = () =>
    createGrpcServer({
      implementations: [handler],
      pipeline: createPipeline({ verifier, log: testLog, registry: new Registry() }),
    });
  let server = createServer();
  const port = await server.listen(0, '127.0.0.1');
  return {
    address: `127.0.0.1:${port}`,
    add(given = {}) {
      const survey: TestSurvey = {
        surveyId: randomUUID(),
        tenantId: randomUUID(),
        status: 'active',
        settings: {},
        version: 1,
        schemaVersion: '1.0',
        definition: testDefinition,
        isPurged: false,
        ...given,
      };
      put(survey);
      return survey;
    },
    set(surveyId, change) {
      const survey = surveys.get(surveyId);
      if (survey !== undefined) put({ ...survey, ...change });
    },
    addLink({ tenantId, surveyId }, given = {}) {
      const [linkId, slug] = [randomUUID(), randomUUID()];
      const link: TestLink = {
        linkId,
        slug,
        tenantId,
        surveyId,
        active: true,
        singleUse: false,
        revision: 1,
        ...given,
      };
      links.set(link.slug, link);
      return link;
    },
    setLink(slug, change) {
      const link = links.get(slug);
      if (link === undefined) return;
      links.delete(slug);
      links.set(change.slug ?? slug, { ...link, revision: link.revision + 1, ...change });
    },
    removeLink: (slug) => void links.delete(slug),
    definitionsSent: () => definitionsSent,
    stop: () => server.close(),
    async start() {
      server = createServer();
      await server.listen(port, '127.0.0.1');
    },
  };
}

function toSettingsMessage({ opensAt, closesAt, ...rest }: Partial<SurveySettings>) {
  const { responseLimit, access, languages, retentionDays, resumeAcrossDevices, metadataFields = [] } = rest;
  return {
    ...(opensAt && { opensAt: timestampFromDate(opensAt) }),
    ...(closesAt && { closesAt: timestampFromDate(closesAt) }),
    ...(responseLimit !== undefined && { responseLimit }),
    ...(access !== undefined && { access }),
    ...(languages !== undefined && { languages: [...languages] }),
    ...(retentionDays !== undefined && { retentionDays }),
    ...(resumeAcrossDevices !== undefined && { resumeAcrossDevices }),
    metadataFields: metadataFields.map(({ max_length: maxLength, from, ...field }) => ({
      ...field,
      ...(maxLength !== undefined && { maxLength }),
      from: [...from],
    })),
  };
}
