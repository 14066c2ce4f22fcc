import { topics } from '@survey/proto/catalog';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createReportedGauge, type Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { v4 } from 'uuid';
import type { LinkDocument } from '../links/link-store.ts';
import type { SlugStore } from '../links/slug-store.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { createSurveyCloser } from './survey-closer.ts';
import type { SurveyDocument } from './survey-document.ts';
import {
  createSurveyPurgeStore,
  deletedSurveyIndex,
  type PurgedSurveyDocument,
  purgedSurveyIndexes,
} from './survey-purge-store.ts';
import { createSurveyPurger } from './survey-purger.ts';
import { createSurveyService, createSurveyVersionService } from './survey-service.ts';
import { createSurveyStore, type SurveyStore, surveyIndexes } from './survey-store.ts';
import { createSurveyVersionStore, type SurveyVersionDocument, surveyVersionIndexes } from './survey-version-store.ts';

interface Dependencies {
  readonly projects: Pick<ProjectStore, 'markUsed'>;
  readonly slugs: SlugStore;
  readonly purgeDeletedAfterDays: number;
}

export function createSurveyModule(runtime: ServiceRuntime, { projects, slugs, purgeDeletedAfterDays }: Dependencies) {
  const { log, clock } = runtime;
  const { client } = runtime.mongo;
  const collection = runtime.collection<SurveyDocument>('surveys');
  const relay = runtime.relay(systemScope(collection));
  const versionCollection = runtime.collection<SurveyVersionDocument>('survey_versions');
  const versionStore = createSurveyVersionStore(versionCollection);
  const store = createSurveyStore({ collection, versions: versionStore, projects, client, onEvent: relay.wake });
  const surveys = createSurveyService({ store, clock, newQuestionId: v4 });
  const closer = createSurveyCloser({ store, surveys, lease: runtime.lease('close surveys'), clock, log });
  const purgeStore = createSurveyPurgeStore({
    surveys: collection,
    versions: versionCollection,
    links: runtime.collection<LinkDocument>('links'),
    purged: runtime.collection<PurgedSurveyDocument>('purged_surveys'),
    slugs,
    client,
    onEvent: relay.wake,
  });
  const purger = createSurveyPurger({
    store: purgeStore,
    afterDays: purgeDeletedAfterDays,
    lease: runtime.lease('purge surveys'),
    clock,
    log,
  });
  registerSurveyMetrics({ store, ...runtime.reporting });
  return {
    indexes: {
      surveys: [...surveyIndexes, deletedSurveyIndex, outboxIndex],
      purged_surveys: purgedSurveyIndexes,
      survey_versions: surveyVersionIndexes,
    },
    topics: [topics.survey],
    stoppedFirst: [closer, purger],
    stoppedLast: [relay],
    provides: {
      surveys,
      versions: createSurveyVersionService({ surveys, store, versions: versionStore }),
      purgeStore,
    },
  };
}

/** Number of tenants with their own series. Tenants with fewer active surveys share one series. */
const MAX_TENANTS = 1_000;

/** Counts active surveys by tenant at each scrape. */
export function registerSurveyMetrics({
  store,
  ...reporting
}: Reporting & { readonly store: Pick<SurveyStore, 'countActive'> }): void {
  createReportedGauge({
    ...reporting,
    name: 'active_surveys_count',
    help: 'Surveys that take answers now',
    labelNames: ['tenant_id'],
    async measure(gauge) {
      const counts = await store.countActive();
      gauge.reset();
      const largestFirst = [...counts].sort((one, other) => other.count - one.count);
      for (const [index, { tenantId, count }] of largestFirst.entries())
        gauge.inc({ tenant_id: index < MAX_TENANTS ? tenantId : 'other' }, count);
    },
  });
}
