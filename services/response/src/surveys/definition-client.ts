import { timestampDate } from '@bufbuild/protobuf/wkt';
import { DefinitionService, type GetDefinitionResponse } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { type Snapshot, type SurveySettings, surveyStatuses } from './definition.ts';
import { sourceDeadlineMs } from './snapshots.ts';

/** Reads current surveys. Methods return undefined if the survey or version does not exist. */
export type DefinitionSource = ReturnType<typeof createDefinitionClient>;

/** Reads definitions from the survey service. Requests name no tenant: the reply names the tenant of the survey. */
export function createDefinitionClient(connection: ServiceConnection) {
  const client = connection.client(DefinitionService);

  async function fetchDefinition(surveyId: string, version: number | undefined, known: Snapshot | undefined) {
    const request = {
      surveyId,
      ...(version === undefined ? {} : { version }),
      ...(known === undefined ? {} : { knownVersion: known.version }),
    };
    try {
      const found = await client.getDefinition(request, { ...callOptionsFor({}), timeoutMs: sourceDeadlineMs(known) });
      return toSnapshot(surveyId, found, known);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return {
    /** The latest 200 versions that are or were published, in descending order. */
    async findPublishedVersions({ surveyId, version }: Snapshot): Promise<readonly number[]> {
      const request = { surveyId, knownVersion: version, withPublishedVersions: true };
      const options = { ...callOptionsFor({}), timeoutMs: sourceDeadlineMs(version) };
      return (await client.getDefinition(request, options)).publishedVersions;
    },
    /**
     * @param known a previous result. An unchanged definition is not transferred again: the result has the same object
     */
    findLatest: (surveyId: string, known: Snapshot | undefined): Promise<Snapshot | undefined> =>
      fetchDefinition(surveyId, undefined, known),
    findVersion: (surveyId: string, version: number): Promise<Snapshot | undefined> =>
      fetchDefinition(surveyId, version, undefined),
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'SURVEY_NOT_FOUND' || error.code === 'VERSION_NOT_FOUND');
}

/** The reply omits the definition if its version is the known one. */
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
  } = message ?? {};
  return {
    opensAt: opensAt && timestampDate(opensAt),
    closesAt: closesAt && timestampDate(closesAt),
    responseLimit,
    access: access === 'links_only' ? 'links_only' : 'open',
    languages,
    retentionDays,
    resumeAcrossDevices,
  };
}
