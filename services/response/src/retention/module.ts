import { DefinitionService, type Retention } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { startAtZero } from '@survey/runtime/telemetry/metrics';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ResponseFiles } from '../files/response-files.ts';
import type { DeletedResponseStore } from '../responses/deleted-response-store.ts';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import type { SliceDocument } from '../responses/slice-store.ts';
import type { WriteWindowDocument } from '../responses/write-window-store.ts';
import type { LedgerDocument, LedgerStore } from '../seats/ledger-store.ts';
import type { DefinitionDocument } from '../surveys/definition-store.ts';
import type { InvitationDocument } from '../surveys/invitation-store.ts';
import type { LinkDocument } from '../surveys/link-store.ts';
import {
  createDueResponseStore,
  createSurveyDataStore,
  createSurveyWalkStore,
  type PlanDocument,
  type SurveyWalkDocument,
  type SurveyWalkStore,
} from './retention-store.ts';
import { createSurveyDeletion, type DeletionCause, type LinkSource } from './survey-deletion.ts';
import { createSurveyWalk, type RetentionSource, type SurveyRetention } from './survey-walk.ts';

interface Dependencies {
  readonly survey: ServiceConnection;
  readonly deleted: DeletedResponseStore;
  readonly ledgers: LedgerStore;
  readonly files: ResponseFiles;
}

/** Deletes responses at the end of their retention, and all data of purged surveys. */
export function createRetentionModule(
  { collection, lease, registry, log, clock, now }: ServiceRuntime,
  { survey, deleted, ledgers, files }: Dependencies,
): ServiceModule {
  const definitions = collection<DefinitionDocument>('definitions');
  const source = createRetentionClient(survey);
  const walks = createSurveyWalkStore({ walks: collection<SurveyWalkDocument>('survey_walks'), definitions });
  const deleteDueData = createSurveyDeletion({
    files,
    dueResponses: createDueResponseStore(collection<ResponseDocument>('responses')),
    deleted,
    ledgers,
    surveyData: createSurveyDataStore({
      definitions,
      links: collection<LinkDocument>('links'),
      invitations: collection<InvitationDocument>('invitations'),
      responses: collection<ResponseDocument>('responses'),
      ledgers: collection<LedgerDocument>('ledgers'),
      windows: collection<WriteWindowDocument>('write_windows'),
      slices: collection<SliceDocument>('count_slices'),
      plans: [collection<PlanDocument>('deletion_plans'), collection<PlanDocument>('deletion_plan_parts')],
    }),
    findLinks: source.findLinks,
    count: measureRetention({ walks, registry, log }),
    clock,
    now,
  });
  return {
    stoppedFirst: [
      createSurveyWalk({
        store: walks,
        source: source.findRetentions,
        deleteDueData,
        lease: lease('retention'),
        clock,
        now,
        log,
      }),
    ],
  };
}

const CAUSES: readonly DeletionCause[] = ['retention', 'purge'];

export type CountDeleted = (cause: DeletionCause, count: number) => void;

interface MeasureDependencies {
  readonly walks: Pick<SurveyWalkStore, 'find'>;
  readonly registry: Registry;
  readonly log: Logger;
}

function measureRetention({ walks, registry, log }: MeasureDependencies): CountDeleted {
  const deleted = new Counter({
    name: 'responses_deleted_total',
    help: 'Responses that this process deleted at the end of their retention, or with their purged survey.',
    labelNames: ['cause'],
    aggregator: 'sum',
    registers: [registry],
  });
  startAtZero(deleted, { cause: CAUSES });
  new Gauge({
    name: 'retention_last_completed_timestamp_seconds',
    help: 'Time of the last complete check of all surveys for data to delete, 0 if never; the same for every replica.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      try {
        const walk = await walks.find();
        this.set((walk?.completedAt?.getTime() ?? 0) / 1_000);
      } catch (error) {
        // Keep the last value.
        log.warn({ err: error }, 'cannot read the time of the last retention walk');
      }
    },
  });
  return (cause, count) => deleted.inc({ cause }, count);
}

const DEADLINE_MS = 10_000;

function createRetentionClient(connection: ServiceConnection) {
  const client = connection.client(DefinitionService);
  const findRetentions: RetentionSource = async (surveyIds) => {
    const options = { ...callOptionsFor({}), timeoutMs: DEADLINE_MS };
    const { retentions } = await client.getRetentions({ surveyIds: [...surveyIds] }, options);
    return new Map(retentions.map((retention) => [retention.surveyId, toRetention(retention)]));
  };
  const findLinks: LinkSource = async (tenantId, linkIds) => {
    const options = { ...callOptionsFor({ claims: { tenantId } }), timeoutMs: DEADLINE_MS };
    return (await client.findLinks({ linkIds: [...linkIds] }, options)).linkIds;
  };
  return { findRetentions, findLinks };
}

/** Throws for invalid values: a deletion cannot be undone. */
export function toRetention({ surveyId, tenantId: tenant, state, retentionDays }: Retention): SurveyRetention {
  const tenantId = toTenantId(tenant);
  if (state === 'purged') return { state, surveyId, tenantId };
  if (state !== 'kept') throw new Error(`The survey ${surveyId} has the unknown state ${state}`);
  if (retentionDays !== undefined && retentionDays < 1)
    throw new Error(`The survey ${surveyId} has an invalid retention of ${retentionDays} days`);
  return { state, surveyId, tenantId, retentionDays };
}
