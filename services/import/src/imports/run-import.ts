import { AppError } from '@survey/runtime/errors/app-error';
import { ReadingStopped } from '../files/stoppable-file.ts';
import { sendResponses } from '../responses/response-sender.ts';
import { createRetry, isTransient } from '../retries/retry-policy.ts';
import type { NewSurvey, StoredSurvey, SurveyClient } from '../surveys/survey-client.ts';
import type { Hold } from './hold.ts';
import type { Failure, ImportPlan, Progress } from './import.ts';
import type { ImportErrorStore } from './import-error-store.ts';
import { endEvents } from './import-events.ts';
import type { ImportMetrics } from './import-metrics.ts';
import type { ImportStore } from './import-store.ts';
import type { PreparedImport } from './prepare-import.ts';
import { type Ending, MAX_ERRORS, type Report, toReport } from './report.ts';
import { createTally, MAX_KEPT_ERRORS } from './tally.ts';
import type { Warnings } from './warnings.ts';

interface Dependencies {
  readonly store: Pick<ImportStore, 'end' | 'find'>;
  readonly errors: ImportErrorStore;
  readonly surveys: Pick<SurveyClient, 'store'>;
  readonly metrics: ImportMetrics;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** An import that this process has. */
export interface Running {
  readonly hold: Hold;
  readonly plan: ImportPlan;
  readonly warnings: Warnings;
  /** Bytes of the file that are read. */
  readonly bytes: () => number;
  /** For how long what is away is tried again, in milliseconds. */
  readonly retryForMs: number;
  /** Whether this process is to hand it on to another one. */
  readonly isStopped: () => boolean;
}

/** How a run ended: without a report when another process is to go on, or does. */
export interface Ran {
  readonly report: Report | undefined;
  /** Undefined where none was to be stored, or could be. */
  readonly survey: StoredSurvey | undefined;
  /** What kept the survey or responses from being stored. */
  readonly failure: AppError | undefined;
}

export type ImportRun = ReturnType<typeof createImportRun>;

/** Stores what was prepared, on from where it stopped the last time, and ends the import, once. */
export function createImportRun({ store, errors, surveys, metrics, clock, now }: Dependencies) {
  async function end(
    { hold, warnings }: Pick<Running, 'hold' | 'warnings'>,
    { questions, progress }: { readonly questions: number; readonly progress: Progress },
    ending: Ending,
  ): Promise<Report | undefined> {
    const { item, claim } = hold;
    const report = toReport(item, {
      questions,
      progress,
      warnings: warnings.first(),
      moreWarnings: warnings.more(),
      errors: await errors.first(item.tenantId, item.id, MAX_ERRORS),
      ending,
    });
    const time = clock();
    const known = ending.kind === 'cancelled' ? await store.find(item.tenantId, item.id) : undefined;
    const events = endEvents(known ?? item, report, time);
    const isOurs = await store.end(item, claim, { report, bytes: progress.bytes, time, events });
    if (!isOurs) return undefined;
    metrics.ended(report.status);
    return report;
  }

  /** Leaves of the process that had it before what it had written down; who has it by now may have more. */
  async function takeUp({ item, renew }: Hold): Promise<void> {
    if (await renew()) await errors.discardFrom(item.tenantId, item.id, item.progress.rows);
  }

  /** Throws what the one who sent the file can do about it. */
  async function storeSurvey(
    survey: NewSurvey,
    { toFileError }: PreparedImport,
    { item }: Hold,
  ): Promise<StoredSurvey> {
    try {
      return await surveys.store(item, survey);
    } catch (error) {
      throw toFileError(error);
    }
  }

  return {
    /** Throws where neither the file nor those that it goes to are at fault: it can be run again. */
    async run(running: Running, prepared: PreparedImport): Promise<Ran> {
      const { hold, plan, bytes, retryForMs, isStopped } = running;
      const { questions, responses, toStored } = prepared;
      const goesOn = () => hold.standing() === 'running' && !isStopped();
      const retry = createRetry({ retryForMs, goesOn, now });
      // Within a call nobody had it before.
      if (hold.item.job !== undefined) await takeUp(hold);
      const tally = createTally({ hold, errors, metrics, questions, bytes, now });
      const toStore = plan.dryRun ? undefined : prepared.survey;
      const stored = toStore && (await retry(() => storeSurvey(toStore, prepared, hold)));
      // Stopped, or cancelled, before it was.
      const isGivenUp = toStore !== undefined && stored === undefined;
      const refusal = stored instanceof AppError ? stored : undefined;
      const survey = stored instanceof AppError ? undefined : stored;
      const sending = {
        // What cannot go to a survey that is not there is told all the same.
        client: refusal === undefined ? prepared.client : { store: () => Promise.reject(refusal) },
        importer: hold.item,
        surveyId: hold.item.surveyId,
        silent: !plan.emitEvents,
        begunAt: hold.item.createdAt,
        toStored,
        skip: hold.item.progress.rows,
        retry: refusal === undefined ? retry : createRetry({ retryForMs: 0, goesOn, now }),
        goesOn: () => goesOn() && !tally.isHopeless(),
        onBatch: tally.add,
      };
      const ended = isGivenUp ? STOPPED : await sendResponses(sending, responses).catch(toEnding);
      const sent = ended.kind === 'stopped' && goesOn() && tally.isHopeless() ? hopeless() : ended;
      const failure = refusal ?? sent.failure;
      const ending = endingOf(sent, failure, hold);
      if (ending === undefined) return { report: undefined, survey, failure };
      const report = await end(running, { questions, progress: tally.progress() }, ending);
      return { report, survey, failure };
    },

    /** Ends an import of which nothing can be stored. */
    async fail(running: Pick<Running, 'hold' | 'warnings'>, failure: Failure) {
      await takeUp(running.hold);
      return end(running, { questions: 0, progress: running.hold.item.progress }, { kind: 'broken', failure });
    },

    /** Ends an import that was cancelled before it began to run. */
    async cancel(running: Pick<Running, 'hold' | 'warnings'>) {
      const { progress, questions } = running.hold.item;
      await takeUp(running.hold);
      return end(running, { questions, progress }, { kind: 'cancelled', failure: undefined });
    },
  };
}

const STOPPED = { kind: 'stopped', failure: undefined } as const;

/** Of an import that could still go on, but was stopped. */
function hopeless() {
  const detail = `Of the first ${MAX_KEPT_ERRORS} responses all were refused`;
  return { kind: 'broken', failure: new AppError('INVALID_IMPORT', { detail }) } as const;
}

export function toFailure({ reason, message, errors }: AppError): Failure {
  return { code: reason, detail: message, errors };
}

/** A file that cannot be read on ends its import; anything else is no fault of the file. */
function toEnding(error: unknown) {
  if (error instanceof ReadingStopped) return STOPPED;
  if (error instanceof AppError && !isTransient(error)) return { kind: 'broken', failure: error } as const;
  throw error;
}

/** Undefined when the import goes on elsewhere. */
function endingOf(
  { kind }: { readonly kind: 'over' | 'stopped' | 'broken' },
  failure: AppError | undefined,
  hold: Hold,
): Ending | undefined {
  const told = failure && toFailure(failure);
  if (hold.standing() === 'lost') return undefined;
  if (kind === 'broken' && told !== undefined) return { kind, failure: told };
  if (kind === 'over') return { kind: 'read', failure: told };
  return hold.standing() === 'cancelling' ? { kind: 'cancelled', failure: undefined } : undefined;
}
