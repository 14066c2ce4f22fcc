import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  DefinitionService,
  type GetDefinitionResponse,
  type GetLinkBySlugResponse,
} from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { toMetadataFields } from '@survey/questionnaire/metadata/metadata-fields';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { type Snapshot, type SurveySettings, surveyStatuses } from './definition.ts';
import type { Link } from './link.ts';
import { sourceTimeoutMs } from './snapshots.ts';

const SLUG_TIMEOUT_MS = 1_000;

export type SurveyClient = ReturnType<typeof createSurveyClient>;

/** Reads surveys and links from the survey service. Most methods return undefined if nothing is found. */
export function createSurveyClient(connection: ServiceConnection) {
  const client = connection.client(DefinitionService);
  const optionsFor = (known: unknown) => ({ ...callOptionsFor({}), timeoutMs: sourceTimeoutMs(known) });

  async function fetchDefinition(surveyId: string, version: number | undefined, known: Snapshot | undefined) {
    const request = {
      surveyId,
      ...(version === undefined ? {} : { version }),
      ...(known === undefined ? {} : { knownVersion: known.version }),
    };
    const found = await orMissing(client.getDefinition(request, optionsFor(known)));
    return found && toSnapshot(surveyId, found, known);
  }

  return {
    /** Returns the latest 200 versions that are or were published, latest first. */
    async findPublishedVersions({ surveyId, version }: Snapshot): Promise<readonly number[]> {
      const request = { surveyId, knownVersion: version, withPublishedVersions: true };
      return (await client.getDefinition(request, optionsFor(version))).publishedVersions;
    },

    /** @param known a previous result. If its definition is unchanged, the result contains the same object */
    findLatest: (surveyId: string, known: Snapshot | undefined): Promise<Snapshot | undefined> =>
      fetchDefinition(surveyId, undefined, known),

    findVersion: (surveyId: string, version: number): Promise<Snapshot | undefined> =>
      fetchDefinition(surveyId, version, undefined),

    async findLink(slug: string, known: Link | undefined): Promise<Link | undefined> {
      const found = await orMissing(client.getLinkBySlug({ slug }, optionsFor(known)));
      return found && toLink(slug, found);
    },

    async findSlug(tenantId: TenantId, linkId: string): Promise<string | undefined> {
      const options = { ...callOptionsFor({ claims: { tenantId } }), timeoutMs: SLUG_TIMEOUT_MS };
      return (await orMissing(client.getLinkSlug({ linkId }, options)))?.slug;
    },
  };
}

async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AppError && MISSING.includes(error.code)) return undefined;
    throw error;
  }
}

const MISSING: readonly ErrorCode[] = ['SURVEY_NOT_FOUND', 'VERSION_NOT_FOUND', 'LINK_NOT_FOUND'];

/** The reply omits the definition of the known version. */
function toSnapshot(surveyId: string, found: GetDefinitionResponse, known: Snapshot | undefined): Snapshot {
  const { tenantId, schemaVersion, version, wasLive: wasPublished } = found;
  const status = surveyStatuses.find((one) => one === found.status);
  if (status === undefined) throw new Error(`The survey ${surveyId} has the unknown status ${found.status}`);
  const definition = found.definition ?? (known?.version === version ? known.definition : undefined);
  if (definition === undefined) throw new Error(`The reply for the survey ${surveyId} has no definition`);
  const settings = toSettings(found.settings);
  return {
    surveyId,
    tenantId: toTenantId(tenantId),
    status,
    settings,
    createdAt: found.createdAt && timestampDate(found.createdAt),
    schemaVersion,
    version,
    wasPublished,
    definition,
  };
}

function toSettings(message: GetDefinitionResponse['settings']): SurveySettings {
  const {
    opensAt,
    closesAt,
    responseLimit,
    access,
    languages = [],
    retentionDays,
    resumeAcrossDevices = true,
    metadataFields = [],
  } = message ?? {};
  return {
    opensAt: opensAt && timestampDate(opensAt),
    closesAt: closesAt && timestampDate(closesAt),
    responseLimit,
    access: access === 'links_only' ? 'links_only' : 'open',
    languages,
    retentionDays,
    resumeAcrossDevices,
    metadataFields: toMetadataFields(metadataFields),
  };
}

function toLink(slug: string, found: GetLinkBySlugResponse): Link {
  const { linkId, tenantId, surveyId, active, expiresAt, maxResponses, singleUse, passwordHash, revision } = found;
  return {
    id: linkId,
    slug,
    // The previous release does not send the slug.
    currentSlug: found.slug === '' ? slug : found.slug,
    tenantId: toTenantId(tenantId),
    surveyId,
    active,
    expiresAt: expiresAt && timestampDate(expiresAt),
    maxResponses,
    singleUse,
    tokenKey: singleUse ? found.tokenKey : undefined,
    passwordHash,
    metadata: found.metadata,
    revision,
  };
}
