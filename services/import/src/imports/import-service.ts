import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { TenantCall } from '@survey/runtime/rpc/call-context';
import { type FileResponse, isRefused } from '../responses/file-response.ts';
import type { ResponseClient } from '../responses/response-client.ts';
import { createResponseIds } from '../responses/response-ids.ts';
import { type Sent, sendResponses } from '../responses/response-sender.ts';
import { responseReaderOf, surveyReaderOf } from '../sources/sources.ts';
import { type RenewedSurvey, renewIds } from '../surveys/renew-ids.ts';
import type { StoredSurvey, SurveyClient } from '../surveys/survey-client.ts';
import { checkDefinition } from './check-definition.ts';
import type { Import, ResponseImport, SurveyImport } from './import.ts';
import { endEvent } from './import-events.ts';
import { type Report, type ReportContents, toReport } from './report.ts';

/** Where imports are kept. */
export interface ImportStore {
  begin(started: Import): Promise<void>;
  /** The event goes in with the write that it tells of. */
  end(started: Import, report: Report, time: Date, event: OutboxEvent): Promise<void>;
}

interface Dependencies {
  readonly store: ImportStore;
  readonly surveys: SurveyClient;
  readonly responses: ResponseClient;
  readonly clock: () => Date;
  readonly newId: () => string;
}

export type ImportService = ReturnType<typeof createImportService>;

/** Whether an import is to store responses too. */
export function bringsResponses({ source, format, data, options }: SurveyImport): boolean {
  return options.importResponses && surveyReaderOf(source, format).hasResponses(data);
}

export function createImportService({ store, surveys, responses: writer, clock, newId }: Dependencies) {
  /** An import that is on record from before it writes anything, so that what it leaves behind can be found. */
  async function record<T extends Pick<ReportContents, 'status' | 'outcomes'>>(
    call: TenantCall,
    of: Pick<Import, 'surveyId' | 'source' | 'format'>,
    known: Pick<ReportContents, 'questions' | 'warnings'>,
    run: () => Promise<T>,
  ): Promise<T & { readonly report: Report }> {
    const { tenantId, actor, traceparent } = call;
    const started: Import = { ...of, id: newId(), tenantId, startedAt: clock(), startedBy: actor };
    const end = async (contents: ReportContents) => {
      const [report, time] = [toReport(started, contents), clock()];
      await store.end(started, report, time, endEvent(started, report, time, traceparent));
      return report;
    };
    await store.begin(started);
    let result: T;
    try {
      result = await run();
    } catch (error) {
      const { reason, message } = toAppError(error);
      const warnings = [{ path: '', code: reason, detail: message }, ...known.warnings];
      await end({ ...known, warnings, status: 'failed', outcomes: [] });
      throw error;
    }
    return { ...result, report: await end({ ...known, ...result }) };
  }

  function send(call: TenantCall, surveyId: string, preserve: boolean, all: readonly FileResponse[]): Promise<Sent> {
    const idsOf = createResponseIds({ tenantId: call.tenantId, surveyId, preserve, newId });
    return sendResponses(writer, call, { surveyId, idsOf }, all);
  }

  return {
    /** Stores the survey of a file, and its responses; those that cannot be stored are in the report. */
    async importSurvey(
      call: TenantCall,
      { source, format, data, options }: SurveyImport,
    ): Promise<{ readonly survey: StoredSurvey; readonly report: Report }> {
      const file = surveyReaderOf(source, format).read(data, options);
      const lintErrors = checkDefinition(file, options.validateLogic);
      const { payload, renewAnswers } = options.preserveIds ? keepIds(file.payload) : renewIds(file.payload, newId);
      const responses = file.responses.map((response) =>
        isRefused(response) ? response : { ...response, answers: renewAnswers(response.answers) },
      );
      const status = lintErrors.length === 0 && responses.length > 0 ? 'closed' : 'draft';
      const known = { questions: countQuestions(payload), warnings: [...file.warnings, ...lintErrors] };
      const surveyId = newId();
      return record(call, { surveyId, source, format }, known, async () => {
        const survey = await surveys.store(call, { id: surveyId, status, payload });
        const { outcomes } = await send(call, surveyId, options.preserveIds, responses);
        return { survey, status: 'completed' as const, outcomes };
      });
    },

    /** Adds responses to a survey of the tenant; those that cannot be stored are in the report. */
    async importResponses(call: TenantCall, { surveyId, format, data }: ResponseImport): Promise<Report> {
      const payload = await surveys.getPayload(call, surveyId);
      const { responses, warnings } = responseReaderOf(format)(data, compile(payload));
      const known = { questions: countQuestions(payload), warnings };
      const { report } = await record(call, { surveyId, source: 'custom', format }, known, async () => {
        const { outcomes, failure } = await send(call, surveyId, true, responses);
        const isIdle = outcomes.length > 0 && outcomes.every(({ outcome }) => outcome === 'failed');
        // Nothing has come of it, so the caller may as well try again.
        if (isIdle && failure !== undefined) throw failure;
        return { status: isIdle ? ('failed' as const) : ('completed' as const), outcomes };
      });
      return report;
    },
  };
}

function keepIds(payload: JsonObject): RenewedSurvey {
  return { payload, renewAnswers: (answers) => answers };
}

function countQuestions(payload: JsonObject): number {
  return readDefinition(payload).questions.length;
}
