import { type ApiError, randomUuid } from '@survey/client';
import { isDisqualified, questionsOf, validateAnswers, visiblePages } from '@survey/questionnaire';
import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import { ownMember } from '@survey/questionnaire/json';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isFinal } from './screens.tsx';
import { type ChangedAnswer, changedAnswers, mergeStored, type StoredResponse, withSurvey } from './session/changes.ts';
import { isFromAnotherDevice, isResponseOver, questionIdOf, toApiError } from './session/errors.ts';
import { errorsIn, type QuestionErrors, type Step, shownPage, stepAt, withAnswer } from './session/flow.ts';
import type { Move } from './session/page-history.ts';
import type { Progress } from './session/progress.ts';
import { createSender } from './session/sender.ts';
import type { Session } from './session/session.ts';
import { readFound, readResponseInProgress } from './session/start.ts';
import { createUploads, type PendingFile, uploadErrorsIn, withUploadErrors } from './session/uploads.ts';
import { createWaiting } from './session/waiting.ts';

type Phase =
  | { readonly at: 'questions' }
  | {
      readonly at: 'sending';
      /** The error of the last attempt. The answers are sent again later. */
      readonly problem?: ApiError;
    }
  | { readonly at: 'password' }
  /** Another device has changed answers. */
  | { readonly at: 'changed'; readonly changes: readonly ChangedAnswer[]; readonly stored: StoredResponse }
  | { readonly at: 'error'; readonly error: ApiError }
  | { readonly at: 'done'; readonly isDisqualified: boolean };

const NO_ERRORS: QuestionErrors = new Map();

/**
 * The state of a respondent who answers a survey: the progress, what is shown, and the requests that save and submit
 * the answers.
 *
 * @param initial the progress at the first render; a later one is ignored
 */
export function useRespondent(session: Session, initial: Progress) {
  const { api, pages, store } = session;
  const [progress, setProgress] = useState(initial);
  const [phase, setPhase] = useState<Phase>(initial.isSubmitPending ? { at: 'sending' } : { at: 'questions' });
  const [errors, setErrors] = useState(NO_ERRORS);
  /** Number of times that errors were shown. Each time, they get the focus. */
  const [focusCount, setFocusCount] = useState(0);
  /** An error of the last request that does not belong to a question. */
  const [notice, setNotice] = useState<'notSaved' | 'rejected'>();
  const [pending, setPending] = useState<readonly PendingFile[]>([]);

  const { definition } = progress.survey;
  const questions = useMemo(() => questionsOf(definition, progress.language), [definition, progress.language]);
  const step = stepAt(definition, progress.answers, progress.page);

  // Requests outlive a render, so they read the progress and the pending files from these refs. The sender and the
  // uploads keep the functions of the first render, so these functions must read all changing state from refs.
  const latest = useRef(initial);
  const latestPending = useRef(pending);
  /**
   * Whether no more answers can be sent. In this case, they must not be stored again: the next visit would send them.
   */
  const isOver = useRef(false);
  function change(changes: Partial<Progress>): void {
    if (isOver.current) return;
    latest.current = { ...latest.current, ...changes };
    store.save(latest.current);
    setProgress(latest.current);
  }

  /** Ends the visit: stops the uploads, and deletes the answers from the browser. */
  function end(): void {
    isOver.current = true;
    pages.leave();
    uploads.clear();
    store.clear();
  }

  const waiting = useMemo(createWaiting, []);
  const sender = useMemo(
    () =>
      createSender({
        api,
        read: () => latest.current,
        change,
        newKey: randomUuid,
        wait: waiting.wait,
        onWaiting: (problem) => setPhase({ at: 'sending', problem }),
      }),
    [],
  );

  function answer(questionId: string, value: unknown): void {
    change({ answers: withAnswer(latest.current.answers, questionId, value) });
    // An error disappears as soon as the answer is valid.
    setErrors((all) => {
      if (!all.has(questionId)) return all;
      const others = [...all].filter(([id]) => id !== questionId);
      return new Map([...others, ...errorsIn(definition, latest.current.answers, [questionId])]);
    });
  }

  /** Changes the files of an answer. `update` gets the latest files, since an upload can end long after it began. */
  function answerFiles(questionId: string, update: (fileIds: readonly string[]) => readonly string[]): void {
    const fileIds = update(fileIdsOf(ownMember(latest.current.answers, questionId)));
    answer(questionId, fileIds.length === 0 ? undefined : fileIds.map((file_id) => ({ file_id })));
  }

  const uploads = useMemo(
    () =>
      createUploads({
        upload: api.upload,
        onChange: (all) => {
          latestPending.current = all;
          setPending(all);
          setErrors((shown) => withUploadErrors(shown, all));
        },
        onUploaded: (questionId, { file_id, filename }, file) => {
          change({ fileNames: { ...latest.current.fileNames, [file_id]: filename ?? file.name } });
          answerFiles(questionId, (ids) => [...ids, file_id]);
        },
      }),
    [],
  );
  useEffect(() => uploads.clear, []);

  function next(): void {
    if (step === undefined || hasErrorsOnPage(step)) return;
    if (step.next === undefined || isDisqualified(definition, latest.current.answers)) void submit();
    else {
      goTo(step.next);
      void save();
    }
  }

  /** Shows the errors of the current page, if it has any. */
  function hasErrorsOnPage({ page: { questions: ids } }: Step): boolean {
    const found = new Map(errorsIn(definition, latest.current.answers, ids));
    for (const [id, code] of uploadErrorsIn(latestPending.current, ids)) found.set(id, code);
    if (found.size > 0) showOnPage(found);
    return found.size > 0;
  }

  /** Shows an error if a file of the current page is still being uploaded. */
  function hasRunningUploads(): boolean {
    const running = latestPending.current.filter(({ problem }) => problem === undefined);
    const found = uploadErrorsIn(running, step?.page.questions ?? []);
    if (found.size > 0) showOnPage(found);
    return found.size > 0;
  }

  /** Goes to the previous page, like the browser's Back. */
  function back(page: number): void {
    if (pages.back() || hasRunningUploads()) return;
    pages.replace(page);
    show(page);
  }

  /** Goes to a later page. */
  function goTo(page: number): void {
    pages.add(page);
    show(page);
  }

  function show(page: number): void {
    setErrors(NO_ERRORS);
    change(shownPage(latest.current, page));
  }

  /** Follows the browser's Back and Forward, and the swipe. */
  function follow(move: Move): void {
    const { answers, page } = latest.current;
    const indexOf = (position: number) =>
      position < 0 ? position : (stepAt(definition, answers, position)?.page.index ?? 0);
    if (isOver.current) pages.accept(move);
    // Answers that are being sent, or need a decision, stay on the screen.
    else if (phase.at !== 'questions') pages.undo(move);
    else if (move.steps < 0) {
      // Logic hides the page now, or errors were shown on an earlier page than the last one.
      if (indexOf(move.position) >= indexOf(page)) pages.skip(move);
      else if (hasRunningUploads()) pages.undo(move);
      else {
        pages.accept(move);
        show(move.position);
      }
    } else if (page >= 0 && step !== undefined && (hasErrorsOnPage(step) || isDisqualified(definition, answers))) {
      pages.undo(move);
      next();
    } else {
      pages.accept(move);
      show(Math.max(page, move.position));
      void save();
    }
  }

  function showOnPage(found: QuestionErrors): void {
    setErrors(found);
    setFocusCount((count) => count + 1);
  }

  async function save(): Promise<void> {
    if (isOver.current) return;
    try {
      await sender.save();
      setNotice(undefined);
    } catch (cause) {
      const error = toApiError(cause);
      // The submit that follows sends all answers, and reports its own errors.
      if (latest.current.isSubmitPending === true) return;
      if (isFromAnotherDevice(error)) return showChanges(save);
      // The next request sends all answers again, so only errors that would occur again are shown now.
      if (isFinal(error) || isAtQuestion(error)) showPlatformError(error);
      else setNotice('notSaved');
    }
  }

  async function submit(): Promise<void> {
    const { answers } = latest.current;
    const found = new Map(toQuestionErrors(validateAnswers(definition, answers).errors));
    if (!isDisqualified(definition, answers)) {
      const visible = visiblePages(definition, answers).flatMap((page) => page.questions);
      for (const [id, code] of uploadErrorsIn(latestPending.current, visible)) found.set(id, code);
    }
    // Logic can show an earlier question, or make its answer required.
    if (found.size > 0) {
      change({ isSubmitPending: false });
      setPhase({ at: 'questions' });
      showErrors(found);
      return;
    }
    change({ isSubmitPending: true });
    setPhase({ at: 'sending' });
    try {
      const { status } = await sender.submit();
      end();
      setPhase({ at: 'done', isDisqualified: status === 'disqualified' });
    } catch (cause) {
      const error = toApiError(cause);
      // A remaining creation request may have created the response. In this case, submit again after a reload.
      change({ isSubmitPending: latest.current.creation !== undefined });
      if (isFromAnotherDevice(error)) await showChanges(submit);
      else showPlatformError(error);
    }
  }

  /**
   * Shows which answers another device has changed.
   *
   * @param repeat called instead if it has changed none
   */
  async function showChanges(repeat: () => Promise<void>): Promise<void> {
    try {
      const stored = await readLatest();
      const changes = stored === undefined ? [] : changedAnswers(latest.current, stored);
      if (stored !== undefined && changes.length > 0) setPhase({ at: 'changed', changes, stored });
      else {
        if (stored !== undefined) change({ response: stored });
        await repeat();
      }
    } catch (error) {
      showPlatformError(toApiError(error));
    }
  }

  /** Reads the response that another device has changed or begun; undefined if it is no longer in progress. */
  async function readLatest(): Promise<StoredResponse | undefined> {
    const { response } = latest.current;
    if (response !== undefined) return readFound(response, await api.find(response.id, response.resumeToken));
    const opened = await api.open();
    const stored = readResponseInProgress(opened);
    // The response in progress can answer another version.
    if (stored !== undefined) change(withSurvey(latest.current, opened.survey));
    return stored;
  }

  /** @param kept questions whose answers stay as they are on this device */
  function continueFrom(stored: StoredResponse, kept: ReadonlySet<string>): void {
    change(mergeStored(latest.current, stored, kept));
    setErrors(NO_ERRORS);
    setPhase({ at: 'questions' });
    void save();
  }

  /** Whether an error of the platform names a question of the survey. */
  function isAtQuestion(error: ApiError): boolean {
    return error.errors.some(({ path }) => questions.some(({ id }) => id === questionIdOf(path)));
  }

  /** Shows an error of the platform where it belongs: at a question, at the password, or instead of the survey. */
  function showPlatformError(error: ApiError): void {
    if (isResponseOver(error)) end();
    if (error.code === 'LINK_PASSWORD_WRONG') setPhase({ at: 'password' });
    else if (isFinal(error) || !isAtQuestion(error)) setPhase({ at: 'error', error });
    else {
      setPhase({ at: 'questions' });
      setNotice('rejected');
      showErrors(toQuestionErrors(error.errors));
    }
  }

  /** Goes to the page of the first error, and shows the errors there. */
  function showErrors(found: QuestionErrors): void {
    const first = questions.find(({ id }) => found.has(id));
    if (first !== undefined) {
      pages.replace(first.page);
      show(first.page);
    }
    showOnPage(found);
  }

  // The history must know the shown page before the next event, which can be a swipe. An ordinary effect would only run
  // after the next frame.
  useLayoutEffect(() => {
    const positions = visiblePages(definition, initial.answers).map(({ index }) => index);
    const all = definition.welcome_screen ? [-1, ...positions] : positions;
    pages.begin([...all.filter((position) => position < initial.page), initial.page]);
    store.save(latest.current);
    // The page was reloaded before the platform acknowledged the answers.
    if (initial.isSubmitPending) void submit();
  }, []);

  useLayoutEffect(() => {
    function onPopState({ state }: PopStateEvent): void {
      const move = pages.readMove(state);
      if (move !== undefined) follow(move);
    }
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  });

  useEffect(() => {
    function onOnline(): void {
      waiting.wake();
      if (notice === 'notSaved' && latest.current.isSubmitPending !== true) void save();
    }
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [notice]);

  const isSending = phase.at === 'sending' && !session.isPreview;
  useEffect(() => {
    if (!isSending) return;
    const warn = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isSending]);

  return {
    progress,
    phase,
    step,
    questions,
    errors,
    focusCount,
    notice,
    pending,
    uploads,
    /** Sends the answers now, if the sender waits. */
    retry: waiting.wake,
    change,
    answer,
    answerFiles,
    goTo,
    next,
    back,
    submit,
    continueFrom,
  };
}

function toQuestionErrors(problems: readonly { readonly code: string; readonly path: string }[]): QuestionErrors {
  return new Map(problems.map(({ path, code }) => [questionIdOf(path) ?? '', code]));
}
