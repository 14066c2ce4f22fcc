import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { TenantCall } from '@survey/runtime/rpc/call-context';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { type FileResponse, isRefused } from '../responses/file-response.ts';
import type { ResponseClient } from '../responses/response-client.ts';
import { createResponseIds } from '../responses/response-ids.ts';
import { failAll, type Sent, sendResponses } from '../responses/response-sender.ts';
import { invalidImport, type SurveyFile } from '../sources/source.ts';
import { responseReaderOf, surveyReaderOf } from '../sources/sources.ts';
import { type RenewedSurvey, renewIds } from '../surveys/renew-ids.ts';
import type { StoredSurvey, SurveyClient } from '../surveys/survey-client.ts';
import { checkDefinition } from './check-definition.ts';
import { checkSettings } from './check-settings.ts';
import { createDerivedIds } from './derived-ids.ts';
import type { Import, ResponseImport, SurveyImport } from './import.ts';
import { endEvents } from './import-events.ts';
import { type Report, type ReportContents, toReport } from './report.ts';

/** Where imports are kept. */
export interface ImportStore {
  begin(started: Import): Promise<void>;
  /** The events go in with the write that they tell of. What has ended before stays as it is. */
  end(started: Import, report: Report, time: Date, events: readonly OutboxEvent[]): Promise<void>;
}

interface Dependencies {
  readonly store: ImportStore;
  readonly surveys: SurveyClient;
  readonly responses: ResponseClient;
  readonly checkMessage: MessageCheck;
  readonly clock: () => Date;
  /** Of an import on record. */
  readonly newId: () => string;
}

/** What is known of an import before it begins. */
interface Known extends Pick<ReportContents, 'questions' | 'warnings'> {
  readonly responses: readonly FileResponse[];
}

/** Where responses go, under which ids. */
interface Destination {
  readonly surveyId: string;
  readonly preserve: boolean;
  readonly newIdAt: (index: number) => string;
}

export type ImportService = ReturnType<typeof createImportService>;

/** Whether an import is to store responses too. */
export function bringsResponses({ source, format, data, options }: SurveyImport): boolean {
  return options.importResponses && surveyReaderOf(source, format).hasResponses(data);
}

export function createImportService({ store, surveys, responses: client, checkMessage, clock, newId }: Dependencies) {
  /** An import that is on record from before it writes anything, so that what it leaves behind can be found. */
  async function record<T extends Sent>(
    call: TenantCall,
    of: Pick<Import, 'surveyId' | 'source' | 'format'>,
    { questions, warnings, responses }: Known,
    run: (call: TenantCall) => Promise<T>,
  ): Promise<T & { readonly report: Report }> {
    const { tenantId, actor, requestId, traceparent } = call;
    const started: Import = { ...of, id: newId(), tenantId, startedAt: clock(), startedBy: actor };
    const end = async ({ outcomes, failure }: Sent) => {
      const ended = failure && { code: failure.reason, detail: failure.message };
      const report = toReport(started, { questions, warnings, outcomes, failure: ended });
      const time = clock();
      await store.end(started, report, time, endEvents(started, report, { time, requestId, traceparent }));
      return report;
    };
    await store.begin(started);
    let result: T;
    try {
      result = await run(withoutLimits(call));
    } catch (error) {
      const failure = toAppError(error);
      await end({ outcomes: failAll(responses, failure), failure });
      throw error;
    }
    return { ...result, report: await end(result) };
  }

  function send(call: TenantCall, to: Destination, all: readonly FileResponse[]): Promise<Sent> {
    const { surveyId, preserve, newIdAt } = to;
    const idsOf = createResponseIds({ tenantId: call.tenantId, surveyId, preserve, newIdAt });
    return sendResponses({ client, call, surveyId, idsOf }, all);
  }

  return {
    /**
     * Stores the survey of a file under an id, and its responses; those that cannot be stored are in the report, all of
     * them too: the survey is there, and they can be sent again. Repeated with the same id and file, it makes nothing anew.
     */
    async importSurvey(
      call: TenantCall,
      surveyId: string,
      { source, format, data, options }: SurveyImport,
    ): Promise<{ readonly survey: StoredSurvey; readonly report: Report }> {
      const file = surveyReaderOf(source, format).read(data, options);
      const lintErrors = checkDefinition(file, options.validateLogic);
      checkSettings(file, checkMessage);
      const ids = createDerivedIds(surveyId);
      const { payload, renewAnswers } = options.preserveIds ? keepIds(file.payload) : renewIds(file.payload, ids.next);
      const responses = file.responses.map((response) =>
        isRefused(response) ? response : { ...response, answers: renewAnswers(response.answers) },
      );
      const status = lintErrors.length === 0 && responses.length > 0 ? 'closed' : 'draft';
      const known = { questions: countQuestions(payload), warnings: [...file.warnings, ...lintErrors], responses };
      const to = { surveyId, preserve: options.preserveIds, newIdAt: ids.responseAt };
      return record(call, { surveyId, source, format }, known, async (unlimited) => {
        const survey = await surveys.store(unlimited, { id: surveyId, status, payload }).catch((error) => {
          throw toFileError(error, file);
        });
        return { survey, ...(await send(unlimited, to, responses)) };
      });
    },

    /**
     * Adds responses to a survey of the tenant; those that cannot be stored are in the report. The ids of responses that
     * have none follow from `origin`, so that repeating it stores nothing more.
     */
    async importResponses(
      call: TenantCall,
      origin: string,
      { surveyId, format, data, unmask }: ResponseImport,
    ): Promise<Report> {
      const payload = await surveys.getPayload(call, surveyId);
      const { responses, warnings } = responseReaderOf(format)(data, compile(payload), { unmask });
      const known = { questions: countQuestions(payload), warnings, responses };
      const of = { surveyId, source: 'custom', format };
      const to = { surveyId, preserve: true, newIdAt: createDerivedIds(origin).responseAt };
      const { report, failure } = await record(call, of, known, (unlimited) => send(unlimited, to, responses));
      // Nothing has come of it, so the caller may as well try again.
      if (report.status === 'failed' && failure !== undefined) throw failure;
      return report;
    },
  };
}

/** An import that has begun goes on to its end when its caller has gone: a part of it would be of no use to anybody. */
function withoutLimits(call: TenantCall): TenantCall {
  const { signal } = new AbortController();
  return { ...call, limits: { signal: () => signal, timeLeftMs: () => undefined } };
}

/** What only the survey service can tell of settings is told by its place in the file; the rest of a refusal is ours. */
function toFileError(error: unknown, { inFile }: SurveyFile): unknown {
  const ofSettings = error instanceof AppError ? error.errors.filter(({ path }) => path.startsWith('/settings')) : [];
  return ofSettings.length > 0 ? invalidImport(ofSettings.map(inFile)) : error;
}

function keepIds(payload: JsonObject): RenewedSurvey {
  return { payload, renewAnswers: (answers) => answers };
}

function countQuestions(payload: JsonObject): number {
  return readDefinition(payload).questions.length;
}
